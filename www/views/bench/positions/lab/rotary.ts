import { html, mathml, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Rotary } from "../../../../data/index.js";
import { formatValue } from "../../../../draw/format.js";
import "../../../../elements/curves/index.js";
import { Kept } from "../../../../elements/shared/kept.js";
import { Player } from "../../../../elements/steps/player.js";
import { theLab } from "../../../../headscope.js";
import { formatFixed, formatNumber, message } from "../../../../i18n/index.js";
import { PagePart } from "../../../../ui/page-part.js";
import { partStyles } from "../../../../ui/base-styles.js";
import { Asked } from "../../asked.js";
import { renderFailed } from "../../failed-words.js";
import { LabSettings, setting } from "../../lab-settings.js";
import { LAB_TABLE, ROTARY_RANGES } from "../../lab-table.js";
import "../../number-slider.js";
import "../../saving/save-figure.js";
import "./hands.js";
import { partHead } from "./part-head.js";
import { labPartStyles } from "./part-styles.js";
import { schemeStyles } from "./scheme-styles.js";
import { curveOf } from "./tensors.js";

const LAST = ROTARY_RANGES.key.most;
type Name = keyof typeof ROTARY_RANGES;
const NAMES = Object.keys(ROTARY_RANGES) as Name[];
/** One position further this often: a slow pair is seen to turn, and a fast one not to jump. */
const PAUSE_MS = 250;
const DIGITS = 6;

type Numbers = Readonly<Record<Name, number>>;

/** What was found, and of which numbers: until the next answer these are not the ones that are chosen. */
interface Answer {
  found: Rotary;
  of: { numbers: Numbers; alike: boolean };
}

/** Rotary positions: pairs of dimensions as turning hands, and a score that depends on the distance alone. It needs no model. */
@customElement("headscope-lab-rotary")
export class HeadscopeLabRotary extends PagePart {
  static override styles = [partStyles, labPartStyles, schemeStyles];

  @state() private numbers: Numbers = {
    query: 9,
    key: 4,
    shift: 20,
    headDim: 16,
    base: 10_000,
    seed: 1,
  };
  @state() private alike = false;

  protected readonly settings = new LabSettings(this, "rotary", {
    ...Object.fromEntries(
      NAMES.map((name) => [
        name,
        setting(
          LAB_TABLE.rotary[name],
          () => this.numbers[name],
          (value) => this.put(name, value),
        ),
      ]),
    ),
    alike: setting(
      LAB_TABLE.rotary.alike,
      () => this.alike,
      (alike) => (this.alike = alike),
    ),
  });
  private readonly asked = new Asked<Answer>(this);
  private readonly curve = new Kept<ReturnType<typeof curveOf>[]>();
  private readonly player = new Player(this, () => this.turn(), PAUSE_MS);

  protected override willUpdate(): void {
    const { numbers, alike } = this;
    this.asked.ask([numbers, alike], async (signal) => ({
      found: await (await theLab()).ask("rotary", { ...numbers, alike }, { signal }),
      of: { numbers, alike },
    }));
  }

  override render(): TemplateResult {
    const { answer, failure } = this.asked;
    const { playing, isStill } = this.player;
    return html`${partHead(FORMULA, message("rotaryLab.paper"))}
      <p class="small muted said">${message("rotaryLab.intro")}</p>
      <div class="controls">
        ${NAMES.map((name) => this.renderNumber(name))}
        <label class="check"><input id="alike" type="checkbox" .checked=${this.alike} @change=${this.makeAlike} /> ${message("rotaryLab.alike")}</label>
        ${isStill ? nothing : html`<button class="press" id="play" @click=${() => this.player.toggle()}>${message(playing ? "rotaryLab.stop" : "rotaryLab.play")}</button>`}
      </div>
      ${failure ? html`<p class="muted" role="status">${renderFailed(failure)}</p>` : answer ? this.renderFound(answer) : nothing}`;
  }

  private renderNumber(name: Name): TemplateResult {
    const { least, most, step } = ROTARY_RANGES[name];
    return html`<headscope-number-slider
      id=${name}
      .label=${message(`rotaryLab.${name}`)}
      .value=${this.numbers[name]}
      .least=${least}
      .most=${most}
      .step=${step}
      .whole=${step > 0}
      .even=${name === "headDim"}
      .logarithmic=${step === 0}
      @headscope-slide=${({ detail }: CustomEvent<number>) => this.put(name, detail)}
    ></headscope-number-slider>`;
  }

  private renderFound(answer: Answer): TemplateResult {
    const { found, of } = answer;
    const { query, key, shift } = of.numbers;
    const lines = this.curve.get([found, message("rotaryLab.score")], () => [
      curveOf(message("rotaryLab.score"), found.scores, -LAST),
    ]);
    return html`<div class="pictures">
      <section>
        <h3>${message("rotaryLab.hands")}</h3>
        ${saved(of, "hands", `m ${query} n ${key} s ${shift} `, message("rotaryLab.hands"), html`<headscope-turning-hands .found=${found} .shift=${shift}></headscope-turning-hands>`)}
      </section>
      <section>
        <h3>${message("rotaryLab.scores")}</h3>
        <table class="facts">
          <tbody>
            ${fact("drawn", message("rotaryLab.score.drawn"), found.drawn.score)} ${fact("here", message("rotaryLab.score.at", { m: query, n: key }), found.here.score)}
            ${shift === 0 ? nothing : fact("shifted", message("rotaryLab.score.at", { m: query + shift, n: key + shift }), found.shifted.score)}
            <tr data-score="residue">
              <th scope="row">${message("rotaryLab.residue")}</th>
              <td data-value=${found.residue}>${formatValue(found.residue)}</td>
            </tr>
          </tbody>
        </table>
        <p class="small muted">${message("rotaryLab.residue.hint")}</p>
        <h3>${message("rotaryLab.curve")}</h3>
        ${saved(of, "scores", "", message("rotaryLab.curve"), html`<headscope-curves .lines=${lines} .titles=${{ x: "m − n", y: message("rotaryLab.score") }} .marked=${query - key} .markedAs=${`m − n = ${query - key}`.replace("-", "−")}></headscope-curves>`)}
      </section>
    </div>`;
  }

  private put(name: Name, value: number): void {
    this.numbers = { ...this.numbers, [name]: value };
  }

  /** Both go one position further, and begin anew at the end. */
  private turn(): boolean {
    const { shift } = this.numbers;
    this.put("shift", shift < ROTARY_RANGES.shift.most ? shift + 1 : 0);
    return true;
  }

  private readonly makeAlike = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.alike = target.checked;
  };
}

/** A figure with what decides its numbers, for those who save it; `at` are the positions, where it is of some. */
function saved(
  { numbers, alike }: Answer["of"],
  name: string,
  at: string,
  heading: string,
  figure: TemplateResult,
): TemplateResult {
  const { headDim, base, seed, query, key, shift } = numbers;
  const details = [
    ...Object.entries(
      at === "" ? { headDim, base, seed } : { query, key, shift, headDim, base, seed },
    ).map(([name, value]) => `${message(`rotaryLab.${name as Name}`)} ${formatNumber(value, 2)}`),
    ...(alike ? [message("rotaryLab.alike")] : []),
  ];
  return html`<headscope-save-figure name=${`rotary ${name} ${at}d ${headDim} base ${base} seed ${seed}${alike ? " alike" : ""}`} .heading=${heading} .details=${details} .of=${"lab"}>${figure}</headscope-save-figure>`;
}

function fact(name: string, label: string, score: number): TemplateResult {
  return html`<tr data-score=${name}>
    <th scope="row">${label}</th>
    <td data-value=${score}>${formatFixed(score, DIGITS)}</td>
  </tr>`;
}

const turned = (position: string, vector: string): TemplateResult =>
  mathml`<mo>(</mo><msub><mi>R</mi><mrow>${position.length > 1 ? mathml`<mi>${position.charAt(0)}</mi><mo>+</mo><mi>s</mi>` : mathml`<mi>${position}</mi>`}</mrow></msub><mi>${vector}</mi><mo>)</mo>`;
const FORMULA = html`<math
  ><mrow
    >${turned("m", "q")}<mo>·</mo>${turned("n", "k")}<mo>=</mo>${turned("m+s", "q")}<mo>·</mo>${turned("n+s", "k")}</mrow></math><math><mrow><msub><mi>θ</mi><mi>i</mi></msub
    ><mo>=</mo><msup><mi>b</mi><mrow><mo>−</mo><mn>2</mn><mi>i</mi><mo>/</mo><mi>d</mi></mrow></msup></mrow
  ></math
>`;

declare global {
  interface HTMLElementTagNameMap {
    "headscope-lab-rotary": HeadscopeLabRotary;
  }
}
