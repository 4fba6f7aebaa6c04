import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Likeness, Tensor } from "../../../../data/index.js";
import type { CurveLine } from "../../../../draw/curves.js";
import { formatValue } from "../../../../draw/format.js";
import "../../../../elements/curves/index.js";
import { formatSigned } from "../../../../elements/difference/element.js";
import "../../../../elements/positions/index.js";
import { Kept } from "../../../../elements/shared/kept.js";
import { theLab, type Model } from "../../../../headscope.js";
import { formatNumber, message, type MessageKey } from "../../../../i18n/index.js";
import { PagePart } from "../../../../ui/page-part.js";
import { partStyles } from "../../../../ui/base-styles.js";
import { isCrash, isExpected } from "../../../run/failures.js";
import { Asked } from "../../asked.js";
import { renderFailed } from "../../failed-words.js";
import { LabSettings, setting } from "../../lab-settings.js";
import { LAB_TABLE } from "../../lab-table.js";
import "../../number-slider.js";
import "../../saving/save-figure.js";
import { placeMatrix } from "./matrix.js";
import { distanceFromWaves, firstRows, mostPositions, wholeTable } from "./model-table.js";
import { partHead } from "./part-head.js";
import { labPartStyles } from "./part-styles.js";
import { curveOf, placeNames, tensorOf } from "./tensors.js";

/** Positions that are looked at before anybody says otherwise. */
const LENGTH = 128;

interface Found {
  model: Model;
  table: Tensor;
  alike: Likeness;
  /** How far it is from the computed table; null where it was learned. */
  fromWaves: number | null;
}

interface Drawn {
  cosines: Tensor;
  places: string[];
  profile: CurveLine[];
}

/** The table of positions that the loaded model adds to its tokens, and how alike its rows are. */
@customElement("headscope-lab-learned")
export class HeadscopeLabLearned extends PagePart {
  static override styles = [partStyles, labPartStyles];

  @property({ attribute: false }) model: Model | null = null;
  @state() private length = LENGTH;

  protected readonly settings = new LabSettings(
    this,
    "learned",
    {
      length: setting(
        LAB_TABLE.learned.length,
        () => this.length,
        (length) => (this.length = length),
      ),
    },
    () => this.model !== null,
  );
  private readonly asked = new Asked<Found | null>(this);
  private readonly drawn = new Kept<Drawn>();

  protected override willUpdate(): void {
    const { model, shownLength } = this;
    if (this.settings.arriving) this.length = shownLength;
    this.asked.ask([model, shownLength], (signal) =>
      model && addsTable(model) ? look(model, shownLength, signal) : Promise.resolve(null),
    );
  }

  /** No more positions than the model has. */
  private get shownLength(): number {
    return this.model ? Math.min(this.length, mostPositions(this.model.info)) : 0;
  }

  override render(): TemplateResult {
    return html`${partHead(FORMULA, message("posLab.learned.paper"))} ${this.renderModel()}`;
  }

  private renderModel(): TemplateResult {
    const { model } = this;
    const { answer, failure } = this.asked;
    if (!model) return html`<p class="muted said">${message("posLab.noModel")}</p>`;
    if (!addsTable(model))
      return html`<p class="said">${message("posLab.noTable", { scheme: message("at.rotary") })}</p>`;
    return html`<div class="controls">
        <headscope-number-slider
          id="length"
          .label=${message("posLab.length")}
          .value=${this.shownLength}
          .least=${2}
          .most=${mostPositions(model.info)}
          whole
          @headscope-slide=${({ detail }: CustomEvent<number>) => (this.length = detail)}
        ></headscope-number-slider>
      </div>
      ${failure ? (isExpected(failure) && !isCrash(failure) ? nothing : html`<p class="muted" role="status">${renderFailed(failure)}</p>`) : answer?.model === model ? this.renderFound(answer) : nothing}`;
  }

  private renderFound(found: Found): TemplateResult {
    const { table, fromWaves, alike, model } = found;
    const { info } = model;
    const [length = 0] = table.shape;
    const { cosines, places, profile } = this.drawn.get([found, message("posLab.cosineOf")], () =>
      draw(found),
    );
    const half = Math.floor(length / 2);
    const far = {
      far: formatNumber(half),
      near: formatSigned(alike.cosinesApart[1] ?? NaN),
      value: formatSigned(alike.cosinesApart[half] ?? NaN),
    };
    return html`<p class="said" data-from-waves=${fromWaves ?? nothing}>
        ${
          fromWaves === null
            ? message("posLab.learned.own", {
                positions: formatNumber(info.maxTokens),
                dimensions: formatNumber(info.dModel),
              })
            : message("posLab.learned.computed", { difference: formatValue(fromWaves) })
        }
        ${message("posLab.learned.alike", far)}
      </p>
      <p class="small muted said">${message("posLab.learned.count")}</p>
      <div class="pictures">
        <section>
          <h3>${message("posLab.table")}</h3>
          ${saved("table", "posLab.table", html`<headscope-positions .tensor=${table}></headscope-positions>`)}
        </section>
        <section>
          <h3>${message("posLab.cosines")}</h3>
          <p class="small muted">${message("posLab.cosines.hint")}</p>
          ${saved("similarity", "posLab.cosines", placeMatrix(cosines, places, message("posLab.cosineOf")))}
          <h3>${message("posLab.cosineProfile")}</h3>
          ${saved("profile", "posLab.cosineProfile", html`<headscope-curves .lines=${profile} .titles=${{ x: message("posLab.apart"), y: message("posLab.cosineOf") }}></headscope-curves>`)}
        </section>
      </div>`;
  }
}

/** A figure for those who save it: it is the model's, whatever its text. */
function saved(name: string, heading: MessageKey, figure: TemplateResult): TemplateResult {
  return html`<headscope-save-figure name=${`positions ${name}`} .heading=${message(heading)} .of=${"model"}>${figure}</headscope-save-figure>`;
}

/** Rotary positions turn queries and keys: they add nothing. */
function addsTable({ info }: Model): boolean {
  return info.positions !== "rotary";
}

async function look(model: Model, length: number, signal: AbortSignal): Promise<Found> {
  const table = firstRows(await wholeTable(model), length);
  signal.throwIfAborted();
  const alike = await (await theLab()).ask(
    "likeness",
    { table: [...table.data], dim: model.info.dModel },
    { signal },
  );
  return {
    model,
    table,
    alike,
    fromWaves:
      model.info.positions === "learned"
        ? null
        : await distanceFromWaves(table, model.info, signal),
  };
}

function draw({ table: { shape }, alike }: Found): Drawn {
  const places = placeNames(shape[0] ?? 0);
  return {
    cosines: tensorOf(alike.cosines, places.length, ["position", "position"]),
    places,
    profile: [curveOf(message("posLab.cosineOf"), alike.cosinesApart)],
  };
}

const FORMULA = html`<math
    ><mrow><msub><mi>x</mi><mi>p</mi></msub><mo>=</mo><mi>E</mi><mo>[</mo><msub><mi>w</mi><mi>p</mi></msub><mo>]</mo><mo>+</mo><mi>P</mi><mo>[</mo><mi>p</mi><mo>]</mo></mrow></math
  ><math
    ><mrow
      ><mi>cos</mi><mo>(</mo><mi>p</mi><mo>,</mo><mi>q</mi><mo>)</mo><mo>=</mo
      ><mfrac
        ><mrow><mi>P</mi><mo>[</mo><mi>p</mi><mo>]</mo><mo>·</mo><mi>P</mi><mo>[</mo><mi>q</mi><mo>]</mo></mrow
        ><mrow><mo>‖</mo><mi>P</mi><mo>[</mo><mi>p</mi><mo>]</mo><mo>‖</mo><mo>·</mo><mo>‖</mo><mi>P</mi><mo>[</mo><mi>q</mi><mo>]</mo><mo>‖</mo></mrow></mfrac
      ></mrow
    ></math
  >`;

declare global {
  interface HTMLElementTagNameMap {
    "headscope-lab-learned": HeadscopeLabLearned;
  }
}
