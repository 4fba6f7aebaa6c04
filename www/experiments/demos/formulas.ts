/** The formulas of the demos, by the name of the demo. */
import { html, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";

export const FORMULAS: Readonly<Record<string, () => TemplateResult>> = {
  alibi: () =>
    html`<math>
        <mrow>
          <mi>softmax</mi> <mo>(</mo> <msub> <mi>q</mi> <mi>i</mi> </msub> <mo>·</mo>
          <msub> <mi>k</mi> <mi>j</mi> </msub> <mo>−</mo> <msub> <mi>m</mi> <mi>h</mi> </msub>
          <mo>|</mo> <mi>i</mi> <mo>−</mo> <mi>j</mi> <mo>|</mo> <mo>)</mo>
        </mrow>
      </math>
      <math>
        <mrow>
          <msub> <mi>m</mi> <mi>h</mi> </msub> <mo>=</mo>
          <msup>
            <mn>2</mn> <mrow> <mo>−</mo> <mn>8</mn> <mi>h</mi> <mo>/</mo> <mi>H</mi> </mrow>
          </msup>
          <mspace width="0.6em"></mspace> <mtext>(${message("alibiDemo.ifPower")})</mtext>
        </mrow>
      </math>`,
  buckets: () =>
    html`<math displaystyle="true">
        <mrow>
          <msub> <mi>q</mi> <mi>i</mi> </msub> <mo>·</mo> <msub> <mi>k</mi> <mi>j</mi> </msub>
          <mo>+</mo>
          <msub>
            <mi>b</mi>
            <mrow>
              <mi>h</mi> <mo>,</mo> <mi>B</mi> <mo>(</mo> <mi>i</mi> <mo>−</mo> <mi>j</mi>
              <mo>)</mo>
            </mrow>
          </msub>
        </mrow>
      </math>
      <math displaystyle="true">
        <mrow>
          <mi>B</mi> <mo>(</mo> <mi>δ</mi> <mo>)</mo> <mo>=</mo> <mi>min</mi> <mo>(</mo> <mi>n</mi>
          <mo>−</mo> <mn>1</mn> <mo>,</mo> <mi>e</mi> <mo>+</mo>
          <mrow>
            <mo>⌊</mo>
            <mfrac>
              <mrow> <mi>ln</mi> <mo>(</mo> <mi>δ</mi> <mo>/</mo> <mi>e</mi> <mo>)</mo> </mrow>
              <mrow>
                <mi>ln</mi> <mo>(</mo> <msub> <mi>δ</mi> <mi>max</mi> </msub> <mo>/</mo> <mi>e</mi>
                <mo>)</mo>
              </mrow>
            </mfrac>
            <mo>·</mo> <mo>(</mo> <mi>n</mi> <mo>−</mo> <mi>e</mi> <mo>)</mo> <mo>⌋</mo>
          </mrow>
          <mo>)</mo>
        </mrow>
      </math>
      <math displaystyle="true">
        <mrow> <mtext>(</mtext> <mi>δ</mi> <mo>≥</mo> <mi>e</mi> <mtext>)</mtext> </mrow>
      </math>
      <math displaystyle="true">
        <mrow> <mi>e</mi> <mo>=</mo> <mo>⌊</mo> <mi>n</mi> <mo>/</mo> <mn>2</mn> <mo>⌋</mo> </mrow>
      </math>`,
  terms: () =>
    html`<math displaystyle="true">
      <mrow>
        <msub>
          <mi>A</mi> <mrow> <mi>i</mi> <mi>j</mi> </mrow>
        </msub>
        <mo>=</mo>
        <mfrac>
          <mrow>
            <munder>
              <mrow>
                <msub> <mi>q</mi> <mi>i</mi> </msub> <mo>·</mo> <msub> <mi>k</mi> <mi>j</mi> </msub>
              </mrow>
              <mtext>(a)</mtext>
            </munder>
            <mo>+</mo>
            <munder>
              <mrow>
                <msub> <mi>q</mi> <mi>i</mi> </msub> <mo>·</mo>
                <msub>
                  <mi>r</mi> <mrow> <mi>i</mi> <mo>−</mo> <mi>j</mi> </mrow>
                </msub>
              </mrow>
              <mtext>(b)</mtext>
            </munder>
            <mo>+</mo>
            <munder>
              <mrow>
                <mi>u</mi> <mo>·</mo> <msub> <mi>k</mi> <mi>j</mi> </msub>
              </mrow>
              <mtext>(c)</mtext>
            </munder>
            <mo>+</mo>
            <munder>
              <mrow>
                <mi>v</mi> <mo>·</mo>
                <msub>
                  <mi>r</mi> <mrow> <mi>i</mi> <mo>−</mo> <mi>j</mi> </mrow>
                </msub>
              </mrow>
              <mtext>(d)</mtext>
            </munder>
          </mrow>
          <msqrt> <mi>d</mi> </msqrt>
        </mfrac>
      </mrow>
    </math>`,
  scores: () =>
    html`<math>
        <mrow>
          <mi>Var</mi> <mo>(</mo> <mi>q</mi> <mo>·</mo> <mi>k</mi> <mo>)</mo> <mo>=</mo>
          <msub> <mi>d</mi> <mi>k</mi> </msub>
        </mrow>
      </math>
      <math>
        <mrow>
          <mfrac>
            <mrow> <mo>∂</mo> <mi>p</mi> </mrow> <mrow> <mo>∂</mo> <mi>s</mi> </mrow>
          </mfrac>
          <mo>=</mo> <mi>diag</mi> <mo>(</mo> <mi>p</mi> <mo>)</mo> <mo>−</mo> <mi>p</mi>
          <msup> <mi>p</mi> <mi>⊤</mi> </msup>
        </mrow>
      </math>`,
  learned: () =>
    html`<math>
        <mrow>
          <msub> <mi>x</mi> <mi>p</mi> </msub> <mo>=</mo> <mi>E</mi> <mo>[</mo>
          <msub> <mi>w</mi> <mi>p</mi> </msub> <mo>]</mo> <mo>+</mo> <mi>P</mi> <mo>[</mo>
          <mi>p</mi> <mo>]</mo>
        </mrow>
      </math>
      <math>
        <mrow>
          <mi>cos</mi> <mo>(</mo> <mi>p</mi> <mo>,</mo> <mi>q</mi> <mo>)</mo> <mo>=</mo>
          <mfrac>
            <mrow>
              <mi>P</mi> <mo>[</mo> <mi>p</mi> <mo>]</mo> <mo>·</mo> <mi>P</mi> <mo>[</mo>
              <mi>q</mi> <mo>]</mo>
            </mrow>
            <mrow>
              <mo>‖</mo> <mi>P</mi> <mo>[</mo> <mi>p</mi> <mo>]</mo> <mo>‖</mo> <mo>·</mo>
              <mo>‖</mo> <mi>P</mi> <mo>[</mo> <mi>q</mi> <mo>]</mo> <mo>‖</mo>
            </mrow>
          </mfrac>
        </mrow>
      </math>`,
  rotary: () =>
    html`<math>
        <mrow>
          <mo>(</mo>
          <msub>
            <mi>R</mi> <mrow> <mi>m</mi> </mrow>
          </msub>
          <mi>q</mi> <mo>)</mo> <mo>·</mo> <mo>(</mo>
          <msub>
            <mi>R</mi> <mrow> <mi>n</mi> </mrow>
          </msub>
          <mi>k</mi> <mo>)</mo> <mo>=</mo> <mo>(</mo>
          <msub>
            <mi>R</mi> <mrow> <mi>m</mi> <mo>+</mo> <mi>s</mi> </mrow>
          </msub>
          <mi>q</mi> <mo>)</mo> <mo>·</mo> <mo>(</mo>
          <msub>
            <mi>R</mi> <mrow> <mi>n</mi> <mo>+</mo> <mi>s</mi> </mrow>
          </msub>
          <mi>k</mi> <mo>)</mo>
        </mrow>
      </math>
      <math>
        <mrow>
          <msub> <mi>θ</mi> <mi>i</mi> </msub> <mo>=</mo>
          <msup>
            <mi>b</mi> <mrow> <mo>−</mo> <mn>2</mn> <mi>i</mi> <mo>/</mo> <mi>d</mi> </mrow>
          </msup>
        </mrow>
      </math>`,
  waves: () =>
    html`<math>
        <mrow>
          <mi>PE</mi> <mo>(</mo> <mi>p</mi> <mo>,</mo> <mn>2</mn> <mi>i</mi> <mo>)</mo> <mo>=</mo>
          <mi>sin</mi> <mo>(</mo>
          <mfrac>
            <mi>p</mi>
            <msup>
              <mi>b</mi> <mrow> <mn>2</mn> <mi>i</mi> <mo>/</mo> <mi>d</mi> </mrow>
            </msup>
          </mfrac>
          <mo>)</mo>
        </mrow>
      </math>
      <math>
        <mrow>
          <mi>PE</mi> <mo>(</mo> <mi>p</mi> <mo>,</mo> <mn>2</mn> <mi>i</mi> <mo>+</mo> <mn>1</mn>
          <mo>)</mo> <mo>=</mo> <mi>cos</mi> <mo>(</mo>
          <mfrac>
            <mi>p</mi>
            <msup>
              <mi>b</mi> <mrow> <mn>2</mn> <mi>i</mi> <mo>/</mo> <mi>d</mi> </mrow>
            </msup>
          </mfrac>
          <mo>)</mo>
        </mrow>
      </math>
      <math>
        <mrow>
          <msub> <mi>λ</mi> <mi>i</mi> </msub> <mo>=</mo> <mn>2</mn> <mi>π</mi> <mo>·</mo>
          <msup>
            <mi>b</mi> <mrow> <mn>2</mn> <mi>i</mi> <mo>/</mo> <mi>d</mi> </mrow>
          </msup>
        </mrow>
      </math>`,
};
