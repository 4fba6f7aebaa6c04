import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type {
  Cell,
  Palette,
  PositionOrigins,
  Stage,
  StepCell,
  StepPlace,
  StepTensor,
} from "../../data/index.js";
import type { Print, Inks } from "../../draw/theme.js";
import "../../elements/steps/element.js";
import { sceneOf, type Printable, type Scene } from "../../elements/shared/scene.js";
import type { HeadscopeSteps } from "../../elements/steps/element.js";
import type { HeadscopeError } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { sentenceOf } from "../explorer/failure-words.js";
import { asFailure, firstFailure } from "../run/failures.js";
import type { HeadFigures } from "../run/figures.js";
import { Loader } from "../run/loader.js";
import { type Explained, explainNumber, heldNumber, holding } from "../run/readings.js";
import { patch } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** Reads the steps of the head's block for their figure, and what makes the number that is looked at. */
@customElement("headscope-steps-panel")
export class HeadscopeStepsPanel extends PagePart implements Printable {
  static override styles = [
    partStyles,
    css`
      :host {
        display: block;
        min-width: 0;
      }

      .failure {
        max-width: 62ch;
        margin: 16px 0;
        padding-left: 16px;
        border-left: 4px solid var(--headscope-accent);
      }

      .failure button {
        padding: 4px 0;
        color: var(--headscope-accent);
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) figures: HeadFigures | null = null;
  @property({ type: Number }) heads = 1;
  @property({ type: Number }) tokenTypes = 0;
  @property({ attribute: false }) origins: PositionOrigins | null = null;
  /** The number that is held; without one it is the weight of the pair. */
  @property({ attribute: false }) number: StepCell | null = null;
  @property({ attribute: false }) pair: Cell | null = null;

  @property() colours: Palette = "blue";
  /** Stages that edits make other than their formula. */
  @property({ attribute: false }) unusual: readonly Stage[] = [];

  @state() private hovered: StepCell | null = null;
  @query("headscope-steps") private readonly figure!: HeadscopeSteps;

  private readonly changed = (): void => this.requestUpdate();
  private readonly steps = new Loader<{ figures: HeadFigures; steps: StepTensor[] }>(this.changed);
  private readonly explained = new Loader<Explained>(this.changed);
  private known: HeadFigures | null = null;
  private readings = 0;

  get inks(): Inks {
    return this.figure.inks;
  }

  print(inks: Inks): Print | null {
    return this.figure.print(inks);
  }

  snapshot(): Scene {
    return sceneOf(this.figure);
  }

  private get held(): StepCell | null {
    return heldNumber(this.steps.value?.steps ?? [], this.number, this.pair);
  }

  /** The number that is looked at, once the steps are those of the head that is asked for. */
  private get looked(): StepPlace | null {
    const { figures, steps } = this;
    const cell = this.hovered ?? this.held;
    return figures && cell && steps.value?.figures === figures
      ? { ...figures.head, ...cell }
      : null;
  }

  protected override willUpdate(): void {
    const { figures } = this;
    if (figures !== this.known) {
      this.known = figures;
      this.hovered = null;
      this.again();
    }
    if (!figures) return;
    const { run, head } = figures;
    this.steps.want(String(this.readings), async () => ({ figures, steps: await run.steps(head) }));
    const { looked } = this;
    if (looked)
      this.explained.want(`${this.readings} ${JSON.stringify(looked)}`, () =>
        explainNumber(run, head, looked),
      );
  }

  protected override render(): TemplateResult {
    const { failed } = this;
    // The steps of another head are no stand-in for those that could not be read.
    const read = failed === "steps" ? null : this.steps.value;
    const { queries = [], keys = [], head = null } = read?.figures ?? this.figures ?? {};
    const { place = null, explanation = null } = this.explained.value ?? {};
    this.setAttribute("aria-busy", String(this.steps.loading || this.explained.loading));
    return html`
      ${failed === null ? nothing : this.renderFailure(asFailure(this[failed === "steps" ? "steps" : "explained"].failure))}
      <div ?hidden=${failed === "steps"}>
        <headscope-steps
          .steps=${read?.steps ?? []}
          .head=${head}
          .heads=${this.heads}
          .tokenTypes=${this.tokenTypes}
          .origins=${this.origins}
          .unusual=${this.unusual}
          .queries=${queries}
          .keys=${keys}
          .held=${this.held}
          .colours=${this.colours}
          .place=${place}
          .explanation=${explanation}
          @headscope-number-hover=${(event: CustomEvent<StepCell | null>) => (this.hovered = event.detail)}
          @headscope-number-go=${this.go}
        ></headscope-steps>
      </div>
    `;
  }

  /** What of the things that are asked for could not be read. */
  private get failed(): "steps" | "number" | null {
    const { figures, steps, explained, looked } = this;
    if (figures && steps.value?.figures !== figures)
      return firstFailure([steps]) !== null && !steps.loading ? "steps" : null;
    const known = !looked || isSame(looked, explained.value?.place);
    return known || explained.loading || firstFailure([explained]) === null ? null : "number";
  }

  private renderFailure(failure: HeadscopeError): TemplateResult {
    const sentence = sentenceOf(failure, {
      maxTokens: 0,
      showsEarlierText: false,
      ownFolder: false,
    });
    return html`<div class="failure">
      <p role="alert">${sentence} <code class="small muted">${failure.code}</code></p>
      <button @click=${this.again}>${message("embed.again")}</button>
    </div>`;
  }

  /** Reads everything, once more if it was read before. */
  private readonly again = (): void => {
    this.readings += 1;
    this.requestUpdate();
  };

  private readonly go = ({ detail: to }: CustomEvent<StepPlace | null>): void => {
    this.hovered = null;
    patch(this, holding(to));
  };
}

function isSame(
  { stack, layer, head, step, row, column }: StepPlace,
  other: StepPlace | undefined,
): boolean {
  if (stack !== other?.stack || layer !== other.layer || head !== other.head) return false;
  return step === other.step && row === other.row && column === other.column;
}
