import { css, html, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Cell, Palette, StepCell, StepPlace, StepTensor } from "../../data/index.js";
import type { Print } from "../../draw/print.js";
import type { Inks } from "../../draw/theme.js";
import "../../elements/steps/index.js";
import type { HeadscopeSteps } from "../../elements/steps/index.js";
import type { Printable } from "../export/files.js";
import { isExpected } from "../run/failures.js";
import type { HeadFigures } from "../run/figures.js";
import { Loader } from "../run/loader.js";
import { explainNumber, heldNumber, holding, type Explained } from "../run/steps.js";
import { patch } from "./events.js";
import { PagePart } from "./page-part.js";
import { partStyles } from "./styles.js";

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
    `,
  ];

  @property({ attribute: false }) figures: HeadFigures | null = null;
  @property({ type: Number }) heads = 1;
  @property({ type: Number }) tokenTypes = 0;
  /** The number that is held; without one it is the weight of the pair. */
  @property({ attribute: false }) number: StepCell | null = null;
  @property({ attribute: false }) pair: Cell | null = null;

  @property() colours: Palette = "blue";

  @state() private hovered: StepCell | null = null;
  @query("headscope-steps") private readonly figure!: HeadscopeSteps;

  private readonly changed = (): void => this.requestUpdate();
  private readonly failed = (thrown: unknown): void => {
    // What a newer run replaced has nobody waiting for it.
    if (!isExpected(thrown)) reportError(thrown);
  };
  private readonly steps = new Loader<{ figures: HeadFigures; steps: StepTensor[] }>(this.changed, this.failed);
  private readonly explained = new Loader<Explained>(this.changed, this.failed);
  private known: HeadFigures | null = null;
  private readings = 0;

  get inks(): Inks {
    return this.figure.inks;
  }

  print(inks: Inks): Print | null {
    return this.figure.print(inks);
  }

  private get held(): StepCell | null {
    return heldNumber(this.steps.value?.steps ?? [], this.number, this.pair);
  }

  protected override willUpdate(): void {
    const { figures } = this;
    if (figures !== this.known) {
      this.known = figures;
      this.readings += 1;
      this.hovered = null;
    }
    if (!figures) return;
    const { run, head } = figures;
    this.steps.want(String(this.readings), async () => ({ figures, steps: await run.steps(head) }));
    const cell = this.hovered ?? this.held;
    if (!cell || this.steps.value?.figures !== figures) return;
    this.explained.want(`${this.readings} ${JSON.stringify({ ...head, ...cell })}`, () => explainNumber(run, head, cell));
  }

  protected override render(): TemplateResult {
    const read = this.steps.value;
    const { queries = [], keys = [], head = null } = read?.figures ?? this.figures ?? {};
    const { place = null, explanation = null } = this.explained.value ?? {};
    this.setAttribute("aria-busy", String(this.steps.loading || this.explained.loading));
    return html`
      <headscope-steps
        .steps=${read?.steps ?? []}
        .head=${head}
        .heads=${this.heads}
        .tokenTypes=${this.tokenTypes}
        .queries=${queries}
        .keys=${keys}
        .held=${this.held}
        .colours=${this.colours}
        .place=${place}
        .explanation=${explanation}
        @headscope-number-hover=${(event: CustomEvent<StepCell | null>) => (this.hovered = event.detail)}
        @headscope-number-go=${this.go}
      ></headscope-steps>
    `;
  }

  private readonly go = ({ detail: to }: CustomEvent<StepPlace | null>): void => {
    this.hovered = null;
    patch(this, holding(to));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-steps-panel": HeadscopeStepsPanel;
  }
}
