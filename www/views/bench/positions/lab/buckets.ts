import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Bucketed, Tensor } from "../../../../data/index.js";
import "../../../../elements/curves/index.js";
import type { CurveLine } from "../../../../draw/curves.js";
import { Kept } from "../../../../elements/shared/kept.js";
import { theLab } from "../../../../headscope.js";
import { formatNumber, message } from "../../../../i18n/index.js";
import "../../../../ui/choice.js";
import { PagePart } from "../../../../ui/page-part.js";
import { partStyles } from "../../../../ui/base-styles.js";
import { Asked } from "../../asked.js";
import { renderFailed } from "../../failed-words.js";
import { leastDistance, OPENS, placeIn } from "../../lab-bounds.js";
import { LabSettings, setting } from "../../lab-settings.js";
import { BUCKET_RANGES, BUCKET_SIDES, LAB_TABLE } from "../../lab-table.js";
import type { Refusal } from "../../number-fields.js";
import "../../number-slider.js";
import "../../saving/save-figure.js";
import { refusedBuckets } from "../refused-buckets.js";
import { labMatrix } from "./matrix.js";
import { partHead } from "./part-head.js";
import { labPartStyles } from "./part-styles.js";
import { schemeStyles } from "./scheme-styles.js";
import { placeNames, tensorOf } from "./tensors.js";

type Name = keyof typeof BUCKET_RANGES;
const LABELS = {
  buckets: "bucketsLab.buckets",
  maxDistance: "bucketsLab.maxDistance",
  length: "schemeLab.tokens",
  heads: "schemeLab.heads",
  seed: "schemeLab.seed",
} as const;
const BIASES_HEIGHT = 180;

interface Asking {
  numbers: Readonly<Record<Name, number>>;
  bothSides: boolean;
  head: number;
}

/** What the figures draw of an answer. */
interface Drawn {
  steps: CurveLine[];
  matrix: Tensor;
  biases: Tensor;
  bias: Tensor;
}

/** T5's buckets: which distance falls into which, and what heads add for them, drawn and not trained. It needs no model. */
@customElement("headscope-lab-buckets")
export class HeadscopeLabBuckets extends PagePart {
  static override styles = [partStyles, labPartStyles, schemeStyles];

  @state() private numbers: Asking["numbers"] = {
    ...OPENS.buckets,
    maxDistance: 128,
    length: 40,
    seed: 1,
  };
  @state() private bothSides = true;
  /** The head that is looked at, from 0. */
  @state() private head = 0;

  protected readonly settings = new LabSettings(this, "buckets", {
    ...Object.fromEntries(
      (Object.keys(BUCKET_RANGES) as Name[]).map((name) => [
        name,
        setting(
          LAB_TABLE.buckets[name],
          () => this.numbers[name],
          (value) => this.put(name, value),
        ),
      ]),
    ),
    sides: setting(
      LAB_TABLE.buckets.sides,
      () => (this.bothSides ? "both" : "one"),
      (sides) => (this.bothSides = sides === "both"),
    ),
    head: setting(
      LAB_TABLE.buckets.head,
      () => this.head,
      (head) => (this.head = placeIn(this.numbers.heads, head)),
    ),
  });
  private readonly asked = new Asked<{ found: Bucketed; of: Asking }>(this);
  private readonly drawn = new Kept<Drawn>();

  protected override willUpdate(): void {
    const { numbers, bothSides, head } = this;
    const of = { numbers, bothSides, head };
    this.asked.ask([numbers, bothSides, head], async (signal) => ({
      found: await (await theLab()).ask("buckets", { ...numbers, bothSides, head }, { signal }),
      of,
    }));
  }

  override render(): TemplateResult {
    const { answer, failure } = this.asked;
    return html`${partHead(FORMULA, message("bucketsLab.paper"))}
      <p class="small muted said">${message("bucketsLab.intro")}</p>
      <div class="controls">
        ${this.renderNumber("buckets")} ${this.renderNumber("maxDistance")} ${this.renderNumber("length")} ${this.renderNumber("heads")}
        <headscope-number-slider
          id="head"
          .label=${message("schemeLab.head")}
          .value=${this.head + 1}
          .least=${1}
          .most=${this.numbers.heads}
          whole
          @headscope-slide=${({ detail }: CustomEvent<number>) => (this.head = detail - 1)}
        ></headscope-number-slider>
        ${this.renderNumber("seed")}
        <headscope-choice
          look="segments"
          .label=${message("bucketsLab.sides")}
          .value=${this.bothSides ? "both" : "one"}
          .choices=${BUCKET_SIDES.map((value) => ({ value, label: message(`bucketsLab.sides.${value}`) }))}
          @headscope-choose=${this.choose}
        ></headscope-choice>
      </div>
      ${failure ? html`<p class="muted" role="status">${renderFailed(failure)}</p>` : answer ? this.renderFound(answer) : nothing}`;
  }

  private renderNumber(name: Name): TemplateResult {
    const { most, step } = BUCKET_RANGES[name];
    return html`<headscope-number-slider
      id=${name}
      .label=${message(LABELS[name])}
      .value=${this.numbers[name]}
      .least=${name === "maxDistance" ? leastDistance(this.numbers.buckets) : BUCKET_RANGES[name].least}
      .most=${most}
      .step=${step}
      whole
      ?even=${name === "buckets"}
      .refuse=${name === "buckets" ? this.refuseBuckets : null}
      @headscope-slide=${({ detail }: CustomEvent<number>) => this.put(name, detail)}
    ></headscope-number-slider>`;
  }

  private renderFound(answer: { found: Bucketed; of: Asking }): TemplateResult {
    const { of } = answer;
    const { steps, matrix, biases, bias } = this.drawn.get(
      [answer, message("bucketsLab.bucket")],
      () => draw(answer),
    );
    const { heads, buckets } = of.numbers;
    const head = { head: formatNumber(of.head + 1) };
    const places = Array.from({ length: buckets }, (_, bucket) => String(bucket));
    return html`<div class="pictures">
      <section>
        <h3>${message("bucketsLab.steps")}</h3>
        <p class="small muted">${message("bucketsLab.steps.hint")}</p>
        ${saved(
          of,
          "steps",
          message("bucketsLab.steps"),
          html`<headscope-curves
          stepped
          .lines=${steps}
          .titles=${{ x: message("bucketsLab.distance"), y: message("bucketsLab.bucket") }}
          .words=${{ y: (bucket: number) => formatNumber(bucket) }}
          .marked=${0}
          .markedAs=${message("bucketsLab.itself")}
        ></headscope-curves>`,
        )}
      </section>
      <section>
        <h3>${message("bucketsLab.matrix")}</h3>
        <p class="small muted">${message(of.bothSides ? "bucketsLab.both.hint" : "bucketsLab.one.hint")}</p>
        ${saved(of, "pairs", message("bucketsLab.matrix"), labMatrix({ tensor: matrix, values: message("bucketsLab.bucket"), counts: true }))}
      </section>
      <section>
        <h3>${message("bucketsLab.biases")}</h3>
        <p class="small muted" id="untrained">${message("bucketsLab.untrained")}</p>
        ${saved(
          of,
          "biases",
          message("bucketsLab.biases"),
          labMatrix({
            tensor: biases,
            values: message("schemeLab.bias"),
            signed: true,
            height: BIASES_HEIGHT,
            rows: { title: message("schemeLab.head"), names: placeNames(heads) },
            columns: { title: message("bucketsLab.bucket"), names: places },
          }),
        )}
      </section>
      <section>
        <h3>${message("bucketsLab.bias", head)}</h3>
        ${saved(of, `head ${of.head + 1}`, message("bucketsLab.bias", head), labMatrix({ tensor: bias, values: message("schemeLab.bias"), signed: true }))}
      </section>
    </div>`;
  }

  /** The engine's own limits, also of a link: an even number of buckets, and a largest distance beyond those of single distances. */
  private put(name: Name, value: number): void {
    const numbers = { ...this.numbers, [name]: value };
    numbers.maxDistance = Math.max(numbers.maxDistance, leastDistance(numbers.buckets));
    this.numbers = numbers;
    this.head = placeIn(numbers.heads, this.head);
  }

  private readonly refuseBuckets = (buckets: number): Refusal | null =>
    refusedBuckets({ ...this.numbers, buckets });

  private readonly choose = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    this.bothSides = event.detail === "both";
  };
}

/** A figure with what decides its numbers, for those who save it. */
function saved(
  { numbers, bothSides }: Asking,
  name: string,
  heading: string,
  figure: TemplateResult,
): TemplateResult {
  const { buckets, maxDistance, length, heads, seed } = numbers;
  const details = [
    ...(["buckets", "maxDistance", "length", "heads", "seed"] as const).map(
      (one) => `${message(LABELS[one])} ${formatNumber(numbers[one])}`,
    ),
    message(`bucketsLab.sides.${bothSides ? "both" : "one"}`),
  ];
  return html`<headscope-save-figure
    name=${`t5 ${name} buckets ${buckets} to ${maxDistance} ${bothSides ? "both" : "one"} tokens ${length} heads ${heads} seed ${seed}`}
    .heading=${heading}
    .details=${details}
    .of=${"lab"}
    >${figure}</headscope-save-figure
  >`;
}

function draw({ found, of: { numbers } }: { found: Bucketed; of: Asking }): Drawn {
  const { length, buckets } = numbers;
  return {
    steps: [
      {
        name: message("bucketsLab.bucket"),
        points: found.borders.map(({ distance, bucket }) => ({ x: distance, y: bucket })),
      },
    ],
    matrix: tensorOf(found.matrix, length, ["query", "key"]),
    biases: tensorOf(found.biases, buckets, ["head", "bucket"]),
    bias: tensorOf(found.bias, length, ["query", "key"]),
  };
}

const FORMULA = html`<math displaystyle="true"
  ><mrow
    ><msub><mi>q</mi><mi>i</mi></msub><mo>·</mo><msub><mi>k</mi><mi>j</mi></msub><mo>+</mo><msub><mi>b</mi><mrow><mi>h</mi><mo>,</mo><mi>B</mi><mo>(</mo><mi>i</mi><mo>−</mo><mi>j</mi><mo>)</mo></mrow></msub
    ></mrow></math><math displaystyle="true"><mrow><mi>B</mi><mo>(</mo><mi>δ</mi><mo>)</mo><mo>=</mo><mi>min</mi><mo>(</mo><mi>n</mi><mo>−</mo><mn>1</mn><mo>,</mo><mi>e</mi><mo>+</mo
    ><mrow><mo>⌊</mo><mfrac><mrow><mi>ln</mi><mo>(</mo><mi>δ</mi><mo>/</mo><mi>e</mi><mo>)</mo></mrow><mrow><mi>ln</mi><mo>(</mo><msub><mi>δ</mi><mi>max</mi></msub><mo>/</mo><mi>e</mi><mo>)</mo></mrow></mfrac
    ><mo>·</mo><mo>(</mo><mi>n</mi><mo>−</mo><mi>e</mi><mo>)</mo><mo>⌋</mo></mrow><mo>)</mo></mrow></math><math displaystyle="true"><mrow><mtext>(</mtext><mi>δ</mi><mo>≥</mo><mi>e</mi><mtext>)</mtext></mrow></math><math displaystyle="true"><mrow><mi>e</mi><mo>=</mo><mo>⌊</mo><mi>n</mi><mo>/</mo><mn>2</mn><mo>⌋</mo></mrow
  ></math
>`;

declare global {
  interface HTMLElementTagNameMap {
    "headscope-lab-buckets": HeadscopeLabBuckets;
  }
}
