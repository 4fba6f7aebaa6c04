import { css, html, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Cell, Explanation, HeadRef, Palette, StepCell, StepPlace, StepTensor } from "../../data/index.js";
import type { Print } from "../../draw/print.js";
import type { Inks } from "../../draw/theme.js";
import "../../elements/steps/index.js";
import type { HeadscopeSteps } from "../../elements/steps/index.js";
import type { Trod } from "../../elements/steps/sum.js";
import { waysBack } from "../../elements/steps/terms.js";
import { cellWords } from "../../elements/steps/words.js";
import { tokenLabels } from "../../elements/shared/token-label.js";
import type { Printable } from "../export/files.js";
import { isExpected } from "../run/failures.js";
import type { HeadFigures } from "../run/figures.js";
import { Loader } from "../run/loader.js";
import { patch } from "./events.js";
import { PagePart } from "./page-part.js";
import { partStyles } from "./styles.js";

/** An explanation with the number that it is of. */
interface Explained {
  place: StepPlace;
  explanation: Explanation;
}

/** The steps of the head's block, what makes the number that is looked at, and the way back that was traced. */
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
  /** The number that is held; without one it is the weight of the pair. */
  @property({ attribute: false }) number: StepCell | null = null;
  @property({ attribute: false }) pair: Cell | null = null;

  @property() colours: Palette = "blue";

  @state() private hovered: StepCell | null = null;
  @state() private trail: readonly Trod[] = [];
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
  /** Where the trace has led. */
  private traced: StepPlace | null = null;

  get inks(): Inks {
    return this.figure.inks;
  }

  print(inks: Inks): Print | null {
    return this.figure.print(inks);
  }

  private get held(): StepCell | null {
    const { number, pair } = this;
    const steps = this.steps.value?.steps ?? [];
    const [rows = 0, columns = 0] = steps.find(({ step }) => step === number?.step)?.tensor.shape ?? [];
    // A link, or the head that was looked at before, may name a number that this block has not.
    if (number && number.row < rows && number.column < columns) return number;
    return pair && { step: "weights", row: pair.query, column: pair.key };
  }

  protected override willUpdate(): void {
    const { figures } = this;
    if (figures !== this.known) {
      this.known = figures;
      this.readings += 1;
      this.hovered = null;
      // Another head was chosen meanwhile: the trace did not lead there.
      if (figures && this.traced && !isOfHead(this.traced, figures.head)) this.trail = [];
    }
    if (!figures) return;
    const { run, head } = figures;
    this.steps.want(String(this.readings), async () => ({ figures, steps: await run.steps(head) }));
    const cell = this.hovered ?? this.held;
    if (!cell || this.steps.value?.figures !== figures) return;
    const place = { ...head, ...cell };
    this.explained.want(`${this.readings} ${JSON.stringify(place)}`, async () => ({ place, explanation: await run.explain(place) }));
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
        .queries=${queries}
        .keys=${keys}
        .held=${this.held}
        .colours=${this.colours}
        .explanation=${explanation}
        @headscope-number-hover=${(event: CustomEvent<StepCell | null>) => (this.hovered = event.detail)}
        @headscope-number-hold=${this.hold}
        @headscope-number-trace=${this.trace}
        @headscope-number-back=${this.back}
      ></headscope-steps>
      <headscope-sum
        .place=${place}
        .explanation=${explanation}
        .queries=${queries}
        .keys=${keys}
        .trail=${this.trail}
        @headscope-number-follow=${(event: CustomEvent<StepPlace>) => this.follow(event.detail)}
        @headscope-number-return=${(event: CustomEvent<number>) => this.returnTo(event.detail)}
      ></headscope-sum>
    `;
  }

  private readonly hold = ({ detail: number }: CustomEvent<StepCell>): void => {
    this.trail = [];
    patch(this, { number });
  };

  /** One step back, to what made the number for the most part. */
  private readonly trace = (): void => {
    const explained = this.explained.value;
    const [first] = explained ? waysBack(explained.explanation) : [];
    if (first) this.follow(first);
  };

  private follow(to: StepPlace): void {
    const { figures, held } = this;
    if (!figures || !held) return;
    const labels = { queries: tokenLabels(figures.queries), keys: tokenLabels(figures.keys) };
    this.trail = [...this.trail, { place: { ...figures.head, ...held }, words: cellWords(held, labels) }];
    this.show(to);
  }

  private readonly back = (): void => {
    if (this.trail.length > 0) this.returnTo(this.trail.length - 1);
    else patch(this, { number: null });
  };

  private returnTo(index: number): void {
    const to = this.trail[index];
    this.trail = this.trail.slice(0, index);
    if (to) this.show(to.place);
  }

  private show(to: StepPlace): void {
    const { stack, layer, head, step, row, column } = to;
    this.traced = to;
    this.hovered = null;
    patch(this, { stack, layer, head, number: { step, row, column } });
  }
}

function isOfHead(place: StepPlace, { stack, layer, head }: HeadRef): boolean {
  return place.stack === stack && place.layer === layer && place.head === head;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-steps-panel": HeadscopeStepsPanel;
  }
}
