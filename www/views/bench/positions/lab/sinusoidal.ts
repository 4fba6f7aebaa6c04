import { html, mathml, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Likeness, Tensor, Waves } from "../../../../data/index.js";
import type { CurveLine } from "../../../../draw/curves.js";
import "../../../../elements/curves/index.js";
import "../../../../elements/positions/index.js";
import { Kept } from "../../../../elements/shared/kept.js";
import { theLab } from "../../../../headscope.js";
import { formatNumber, message, type MessageKey } from "../../../../i18n/index.js";
import "../../../../ui/choice.js";
import { PagePart } from "../../../../ui/page-part.js";
import { partStyles } from "../../../../ui/base-styles.js";
import { Asked } from "../../asked.js";
import { renderFailed } from "../../failed-words.js";
import { OPENS, pairIn } from "../../lab-bounds.js";
import { LabSettings, setting } from "../../lab-settings.js";
import { LAB_TABLE, LAYOUTS, WAVE_RANGES } from "../../lab-table.js";
import "../../number-slider.js";
import "../../saving/save-figure.js";
import { placeMatrix } from "./matrix.js";
import { PAPER_BASE } from "./model-table.js";
import { partHead } from "./part-head.js";
import { labPartStyles } from "./part-styles.js";
import { curveOf, placeNames, tensorOf } from "./tensors.js";

type Layout = (typeof LAYOUTS)[number];

interface Found {
  dim: number;
  base: number;
  layout: Layout;
  waves: Waves;
  alike: Likeness;
}

/** What the figures draw of an answer. */
interface Drawn {
  table: Tensor;
  products: Tensor;
  places: string[];
  profile: CurveLine[];
}

/** Sinusoidal positions of any width, base and length: the table, one pair's waves, and how alike positions are. */
@customElement("headscope-lab-sinusoidal")
export class HeadscopeLabSinusoidal extends PagePart {
  static override styles = [partStyles, labPartStyles];

  @state() private dim: number = OPENS.waves.dim;
  @state() private base = PAPER_BASE;
  @state() private length = 64;
  @state() private layout: Layout = "interleaved";
  /** Which pair's waves are drawn, from 0. */
  @state() private pair = 4;

  protected readonly settings = new LabSettings(this, "waves", {
    dim: setting(
      LAB_TABLE.waves.dim,
      () => this.dim,
      (dim) => (this.dim = dim),
    ),
    base: setting(
      LAB_TABLE.waves.base,
      () => this.base,
      (base) => (this.base = base),
    ),
    length: setting(
      LAB_TABLE.waves.length,
      () => this.length,
      (length) => (this.length = length),
    ),
    layout: setting(
      LAB_TABLE.waves.layout,
      () => this.layout,
      (layout) => (this.layout = layout),
    ),
    pair: setting(
      LAB_TABLE.waves.pair,
      () => this.pair,
      (pair) => (this.pair = pair),
    ),
  });
  private readonly asked = new Asked<Found>(this);
  private readonly drawn = new Kept<Drawn>();
  private readonly drawnPair = new Kept<CurveLine[]>();

  protected override willUpdate(): void {
    const { dim, base, length, layout } = this;
    this.pair = pairIn(dim, this.pair);
    this.asked.ask([dim, base, length, layout], async (signal) => {
      const lab = await theLab();
      const waves = await lab.ask(
        "waves",
        { dim, base, length, halves: layout === "halves" },
        { signal },
      );
      return {
        dim,
        base,
        layout,
        waves,
        alike: await lab.ask("likeness", { table: waves.table, dim }, { signal }),
      };
    });
  }

  override render(): TemplateResult {
    const { answer, failure } = this.asked;
    return html`${partHead(FORMULA, message("posLab.sinusoidal.paper"))}
      <p class="small muted said">${message("posLab.sinusoidal.intro")}</p>
      <div class="controls">
        ${this.renderSlider("dim", 2)} ${this.renderSlider("base", 0)} ${this.renderSlider("length", 1)}
        <headscope-choice
          look="segments"
          .label=${message("at.layout")}
          .value=${this.layout}
          .choices=${LAYOUTS.map((value) => ({ value, label: message(`at.layout.${value}`) }))}
          @headscope-choose=${this.choose}
        ></headscope-choice>
      </div>
      ${failure ? html`<p class="muted" role="status">${renderFailed(failure)}</p>` : answer ? this.renderFound(answer) : nothing}`;
  }

  /** A slider without a step is one of factors, whose numbers need not be whole. */
  private renderSlider(name: keyof typeof WAVE_RANGES, step: number): TemplateResult {
    const { least, most } = WAVE_RANGES[name];
    return html`<headscope-number-slider
      id=${name}
      .label=${message(`posLab.${name}`)}
      .value=${this[name]}
      .least=${least}
      .most=${most}
      .step=${step}
      .whole=${step > 0}
      .logarithmic=${step === 0}
      @headscope-slide=${({ detail }: CustomEvent<number>) => (this[name] = detail)}
    ></headscope-number-slider>`;
  }

  private renderFound(found: Found): TemplateResult {
    const { table, products, places, profile } = this.drawn.get(
      [found, message("posLab.product")],
      () => draw(found),
    );
    return html`<div class="pictures">
      <section>
        <h3>${message("posLab.table")}</h3>
        ${this.saved(found, "table", "posLab.table", html`<headscope-positions .tensor=${table}></headscope-positions>`)}
      </section>
      <section>
        <h3>${message("posLab.products")}</h3>
        <p class="small muted">${message(found.dim % 2 === 0 ? "posLab.products.hint" : "posLab.products.odd")}</p>
        ${this.saved(found, "products", "posLab.products", placeMatrix(products, places, message("posLab.product")))}
      </section>
      <section>${this.renderPair(found)}</section>
      <section>
        <h3>${message("posLab.profile")}</h3>
        ${this.saved(found, "profile", "posLab.profile", html`<headscope-curves .lines=${profile} .titles=${{ x: message("posLab.apart"), y: message("posLab.product") }}></headscope-curves>`)}
      </section>
    </div>`;
  }

  private renderPair(found: Found): TemplateResult {
    const { wavelengths } = found.waves;
    const pair = Math.min(this.pair, wavelengths.length - 1);
    const lines = this.drawnPair.get([found, pair, message("posLab.sine")], () =>
      wavesOf(found, pair),
    );
    const length = wavelengths[pair] ?? NaN;
    return html`<h3>${message("posLab.wave")}</h3>
      <headscope-number-slider
        id="pair"
        .label=${message("posLab.pair")}
        .value=${pair}
        .least=${0}
        .most=${wavelengths.length - 1}
        whole
        @headscope-slide=${({ detail }: CustomEvent<number>) => (this.pair = detail)}
      ></headscope-number-slider>
      <p class="small muted" data-wavelength=${length}>${message("posLab.wavelength", { pair, length: formatNumber(length, length < 1000 ? 2 : 0) })}</p>
      ${this.saved(found, `pair ${pair}`, "posLab.wave", html`<headscope-curves .lines=${lines} .titles=${{ x: message("figure.position"), y: message("figure.value") }}></headscope-curves>`)}`;
  }

  /** A figure with what decides its numbers, for those who save it. */
  private saved(
    { dim, base, waves }: Found,
    name: string,
    heading: MessageKey,
    figure: TemplateResult,
  ): TemplateResult {
    const length = waves.products.length;
    const details = [
      `${message("posLab.dim")} ${formatNumber(dim)}`,
      `${message("posLab.base")} ${formatNumber(base, 2)}`,
      `${message("posLab.length")} ${formatNumber(length)}`,
    ];
    return html`<headscope-save-figure name=${`sinusoidal ${name} d ${dim} base ${base} length ${length}`} .heading=${message(heading)} .details=${details} .of=${"lab"}>${figure}</headscope-save-figure>`;
  }

  private readonly choose = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    this.layout = LAYOUTS.find((one) => one === event.detail) ?? this.layout;
  };
}

function draw({ dim, waves, alike }: Found): Drawn {
  const places = placeNames(waves.products.length);
  return {
    table: tensorOf(waves.table, dim, ["position", "model_dim"]),
    products: tensorOf(alike.products, places.length, ["position", "position"]),
    places,
    profile: [curveOf(message("posLab.product"), alike.productsApart)],
  };
}

/** Sine and cosine of one pair, read out of the table; of an odd width the last pair has no cosine. */
function wavesOf({ dim, layout, waves: { table } }: Found, pair: number): CurveLine[] {
  const column = (at: number): number[] => table.filter((_, index) => index % dim === at);
  const [sine, cosine] =
    layout === "halves" ? [pair, Math.ceil(dim / 2) + pair] : [2 * pair, 2 * pair + 1];
  const lines = [curveOf(message("posLab.sine"), column(sine), 1)];
  return cosine < dim ? [...lines, curveOf(message("posLab.cosine"), column(cosine), 1)] : lines;
}

const POWER = mathml`<msup><mi>b</mi><mrow><mn>2</mn><mi>i</mi><mo>/</mo><mi>d</mi></mrow></msup>`;
const ANGLE = mathml`<mfrac><mi>p</mi>${POWER}</mfrac>`;
const FORMULA = html`<math
    ><mrow><mi>PE</mi><mo>(</mo><mi>p</mi><mo>,</mo><mn>2</mn><mi>i</mi><mo>)</mo><mo>=</mo><mi>sin</mi><mo>(</mo>${ANGLE}<mo>)</mo></mrow></math
  ><math
    ><mrow><mi>PE</mi><mo>(</mo><mi>p</mi><mo>,</mo><mn>2</mn><mi>i</mi><mo>+</mo><mn>1</mn><mo>)</mo><mo>=</mo><mi>cos</mi><mo>(</mo>${ANGLE}<mo>)</mo></mrow></math
  ><math
    ><mrow><msub><mi>λ</mi><mi>i</mi></msub><mo>=</mo><mn>2</mn><mi>π</mi><mo>·</mo>${POWER}</mrow></math
  >`;

declare global {
  interface HTMLElementTagNameMap {
    "headscope-lab-sinusoidal": HeadscopeLabSinusoidal;
  }
}
