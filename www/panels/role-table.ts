/** The table of the roles of a head, each with the formula of its score. */
import { html, nothing, type TemplateResult } from "lit";
import type { Role, RoleScores, ROLES } from "../data/index.js";
import { message } from "../i18n/index.js";
import { scoreWords } from "../session/run/head-order.js";

/**
 * The summand of each role's score, which is its mean over the eligible queries q, as defined in
 * `docs/roles.md`. A is a weight, k a key, x a token, sᵢ the source of token i in cross-attention,
 * else i, S the special tokens behind the first position, f the frequency of a token in training, δ
 * the best of the distances from −3 to 3, H the entropy of a row, n the number of keys that are
 * visible to a query.
 */
const ROLE_FORMULAS: Readonly<Record<Role, () => TemplateResult>> = {
  induction: () =>
    html`<math>
      <munder>
        <mo>∑</mo>
        <mrow>
          <mi>j</mi> <mo>&lt;</mo> <mi>q</mi> <mo>−</mo> <mn>1</mn> <mo>,</mo>
          <msub> <mi>x</mi> <mi>j</mi> </msub> <mo>=</mo> <msub> <mi>x</mi> <mi>q</mi> </msub>
        </mrow>
      </munder>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mi>j</mi> <mo>+</mo> <mn>1</mn> </mrow>
      </msub>
    </math>`,
  duplicate: () =>
    html`<math>
      <munder>
        <mo>∑</mo>
        <mrow>
          <mi>k</mi> <mo>≠</mo> <mi>q</mi> <mo>,</mo> <msub> <mi>x</mi> <mi>k</mi> </msub>
          <mo>=</mo> <msub> <mi>x</mi> <mi>q</mi> </msub>
        </mrow>
      </munder>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mi>k</mi> </mrow>
      </msub>
    </math>`,
  aligned: () =>
    html`<math>
      <msub>
        <mi>A</mi>
        <mrow>
          <mi>q</mi> <mo>,</mo> <msub> <mi>s</mi> <mi>q</mi> </msub>
        </mrow>
      </msub>
    </math>`,
  previous: () =>
    html`<math>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mi>q</mi> <mo>−</mo> <mn>1</mn> </mrow>
      </msub>
    </math>`,
  next: () =>
    html`<math>
      <msub>
        <mi>A</mi>
        <mrow>
          <mi>q</mi> <mo>,</mo>
          <msub>
            <mi>s</mi> <mrow> <mi>q</mi> <mo>+</mo> <mn>1</mn> </mrow>
          </msub>
        </mrow>
      </msub>
    </math>`,
  self: () =>
    html`<math>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mi>q</mi> </mrow>
      </msub>
    </math>`,
  separator: () =>
    html`<math>
      <munder>
        <mo>∑</mo> <mrow> <mi>k</mi> <mo>∈</mo> <mi>S</mi> </mrow>
      </munder>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mi>k</mi> </mrow>
      </msub>
    </math>`,
  first: () =>
    html`<math>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mn>0</mn> </mrow>
      </msub>
    </math>`,
  rare: () =>
    html`<math>
      <mo>[</mo> <munder> <mi>argmax</mi> <mi>k</mi> </munder>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mi>k</mi> </mrow>
      </msub>
      <mo>=</mo> <munder> <mi>argmin</mi> <mi>k</mi> </munder> <mi>f</mi> <mo>(</mo>
      <msub> <mi>x</mi> <mi>k</mi> </msub> <mo>)</mo> <mo>]</mo>
    </math>`,
  near: () =>
    html`<math>
      <mo>[</mo> <mo>|</mo> <munder> <mi>argmax</mi> <mi>k</mi> </munder>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mi>k</mi> </mrow>
      </msub>
      <mo>−</mo>
      <msub>
        <mi>s</mi> <mrow> <mi>q</mi> <mo>+</mo> <mn>1</mn> </mrow>
      </msub>
      <mo>|</mo> <mo>≤</mo> <mn>1</mn> <mo>]</mo>
    </math>`,
  positional: () =>
    html`<math>
      <mo>[</mo> <munder> <mi>argmax</mi> <mi>k</mi> </munder>
      <msub>
        <mi>A</mi> <mrow> <mi>q</mi> <mo>,</mo> <mi>k</mi> </mrow>
      </msub>
      <mo>=</mo> <mi>q</mi> <mo>+</mo> <mi>δ</mi> <mo>]</mo>
    </math>`,
  broad: () =>
    html`<math>
      <mfrac>
        <mrow> <mi>H</mi> <mo>(</mo> <mi>q</mi> <mo>)</mo> </mrow>
        <mrow>
          <mi>ln</mi> <msub> <mi>n</mi> <mi>q</mi> </msub>
        </mrow>
      </mfrac>
    </math>`,
};

/** A table of some roles of a head, on held-out text and on the present one. */
export function roleTable(
  defined: readonly (typeof ROLES)[number][],
  assigned: Role | null,
  heldOut: RoleScores | null,
  here: RoleScores | null,
): TemplateResult {
  const before = heldOut ? (["roles.before"] as const) : [];
  const columns = ["roles.role", ...before, "roles.here", "roles.threshold"] as const;
  return html`<table>
      <tr>
        ${columns.map((column) => html`<th scope="col">${message(column)}</th> `)}
      </tr>
      ${defined.map(
        ({ role, threshold }) =>
          html`<tr
              class=${role === assigned ? "assigned" : ""}
              title=${message(`role.${role}.meaning`)}
            >
              <th scope="row">${message(`role.${role}`)}</th>
              ${heldOut ? html`<td>${scoreWords(heldOut[role])}</td>` : nothing}
              <td>${scoreWords(here?.[role])}</td>
              <td>${scoreWords(threshold)}</td>
            </tr>
            <tr class="formula">
              <td colspan=${columns.length}>${ROLE_FORMULAS[role]()}</td>
            </tr>`,
      )}
    </table>
    <p class="muted">${message("roles.formulas")} ${message("roles.symbols")}</p>`;
}
