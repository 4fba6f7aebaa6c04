import { css, html, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import type { StepCell, StepPlace, StepTensor } from "../../data/index.js";
import "../../elements/steps/element.js";
import type { HeadscopeSteps } from "../../elements/steps/element.js";
import { message } from "../../i18n/index.js";
import { equals, Resource } from "../../signals.js";
import { describeFailure, firstFailure } from "../run/failures.js";
import type { HeadFigures } from "../run/head.js";
import { type Explained, explainNumber, heldNumber, holding } from "../run/readings.js";
import { SessionPart } from "../session.js";

/** Reads the steps of the head's block for their figure, and the explanation of the selected value. */
@customElement("headscope-steps-panel")
export class HeadscopeStepsPanel extends SessionPart {
  static override styles = css`
    .failure {
      max-width: 62ch;
      margin: 16px 0;
    }
  `;

  @state() private hovered: StepCell | null = null;
  @query("headscope-steps") readonly figure!: HeadscopeSteps;
  protected override readonly turn = 0;
  private readonly steps = new Resource<{ figures: HeadFigures; steps: StepTensor[] }>();
  private readonly explained = new Resource<Explained>();
  private known: HeadFigures | null = null;
  private readings = 0;

  private get held(): StepCell | null {
    const { state, focused } = this.session;
    return heldNumber(this.steps.value?.steps ?? [], state.number, focused);
  }

  /** The selected value, once the steps are those of the head that is asked for. */
  private get displayed(): StepPlace | null {
    const { figures } = this.session;
    const cell = this.hovered ?? this.held;
    return figures && this.steps.value?.figures === figures && cell
      ? { ...figures.head, ...cell }
      : null;
  }

  protected override willUpdate(): void {
    const { figures } = this.session;
    if (figures !== this.known) {
      this.known = figures;
      this.hovered = null;
      this.readings += 1;
    }
    if (!figures) return;
    const { run, head } = figures;
    this.steps.want(String(this.readings), async () => ({ figures, steps: await run.steps(head) }));
    const { displayed } = this;
    if (displayed)
      this.explained.want(`${this.readings} ${JSON.stringify(displayed)}`, () =>
        explainNumber(run, head, displayed),
      );
  }

  protected override render(): TemplateResult {
    const { session, steps, explained } = this;
    const failed = this.failed && describeFailure(this.failed.failure);
    // Steps that could not be read are not replaced by those of another head.
    const none = this.failed === steps;
    const read = none ? null : steps.value;
    const { queries = [], keys = [], head = null } = read?.figures ?? session.figures ?? {};
    const { place = null, explanation = null } = explained.value ?? {};
    const again = (): void => {
      this.readings += 1;
      this.requestUpdate();
    };
    const go = ({ detail: to }: CustomEvent<StepPlace | null>): void => {
      this.hovered = null;
      session.update(holding(to));
    };
    this.setAttribute("aria-busy", String(steps.loading || explained.loading));
    return html`
      ${
        failed &&
        html`<div class="failure">
          <p role="alert">${failed.sentence} <code class="small muted">${failed.code}</code></p>
          <button class="act" @click=${again}>${message("embed.again")}</button>
        </div>`
      }
      <div ?hidden=${none}>
        <headscope-steps
          .steps=${read?.steps ?? []}
          .head=${head}
          .heads=${session.size?.heads ?? 0}
          .tokenTypes=${session.info?.tokenTypes ?? 0}
          .origins=${session.origins}
          .unusual=${session.unusual}
          .queries=${queries}
          .keys=${keys}
          .held=${this.held}
          .colours=${session.state.colours}
          .place=${place}
          .explanation=${explanation}
          @headscope-number-hover=${(event: CustomEvent<StepCell | null>) => (this.hovered = event.detail)}
          @headscope-number-go=${go}
        ></headscope-steps>
      </div>
    `;
  }

  /** What could not be read: the steps, or the explanation of a value. */
  private get failed(): Resource<unknown> | null {
    const { steps, explained, displayed } = this;
    const { figures } = this.session;
    const isLost = (one: Resource<unknown>): boolean =>
      !one.loading && firstFailure([one]) !== null;
    if (figures && steps.value?.figures !== figures) return isLost(steps) ? steps : null;
    const known = !displayed || equals(displayed, explained.value?.place);
    return !known && isLost(explained) ? explained : null;
  }
}
