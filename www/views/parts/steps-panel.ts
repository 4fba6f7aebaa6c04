import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import type { StepCell, StepPlace, StepTensor } from "../../data/index.js";
import type { Print, Inks } from "../../draw/theme.js";
import "../../elements/steps/element.js";
import { sceneOf, type Printable, type Scene } from "../../elements/shared/figure.js";
import type { HeadscopeSteps } from "../../elements/steps/element.js";
import type { HeadscopeError } from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { equals, Resource } from "../../signals.js";
import { asFailure, firstFailure, sentenceOf } from "../run/failures.js";
import type { HeadFigures } from "../run/head.js";
import { type Explained, explainNumber, heldNumber, holding } from "../run/readings.js";
import { SessionPart } from "../session.js";

/** Reads the steps of the head's block for their figure, and the explanation of the selected value. */
@customElement("headscope-steps-panel")
export class HeadscopeStepsPanel extends SessionPart implements Printable {
  static override styles = css`
    :host {
      min-width: 0;
    }
    .failure {
      max-width: 62ch;
      margin: 16px 0;
    }
  `;

  @state() private hovered: StepCell | null = null;
  @query("headscope-steps") private readonly figure!: HeadscopeSteps;

  private readonly steps = new Resource<{ figures: HeadFigures; steps: StepTensor[] }>();
  private readonly explained = new Resource<Explained>();
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
    return heldNumber(
      this.steps.value?.steps ?? [],
      this.session.state.number,
      this.session.focused,
    );
  }

  /** The selected value, once the steps are those of the head that is asked for. */
  private get displayed(): StepPlace | null {
    const { figures } = this.session;
    const cell = this.hovered ?? this.held;
    const known = figures !== null && this.steps.value?.figures === figures;
    return known && cell ? { ...figures.head, ...cell } : null;
  }

  protected override willUpdate(): void {
    const { figures } = this.session;
    if (figures !== this.known) {
      this.known = figures;
      this.hovered = null;
      this.again();
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
    const { failed, session } = this;
    // Steps that could not be read are not replaced by those of another head.
    const read = failed === "steps" ? null : this.steps.value;
    const { queries = [], keys = [], head = null } = read?.figures ?? session.figures ?? {};
    const { place = null, explanation = null } = this.explained.value ?? {};
    this.setAttribute("aria-busy", String(this.steps.loading || this.explained.loading));
    return html`
      ${failed === null ? nothing : this.renderFailure(asFailure(this[failed === "steps" ? "steps" : "explained"].failure))}
      <div ?hidden=${failed === "steps"}>
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
          @headscope-number-go=${this.go}
        ></headscope-steps>
      </div>
    `;
  }

  private get failed(): "steps" | "number" | null {
    const { steps, explained, displayed } = this;
    const { figures } = this.session;
    if (figures && steps.value?.figures !== figures)
      return firstFailure([steps]) !== null && !steps.loading ? "steps" : null;
    const known = !displayed || equals(displayed, explained.value?.place);
    return known || explained.loading || firstFailure([explained]) === null ? null : "number";
  }

  private renderFailure(failure: HeadscopeError): TemplateResult {
    const sentence = sentenceOf(failure);
    return html`<div class="failure">
      <p role="alert">${sentence} <code class="small muted">${failure.code}</code></p>
      <button class="act" @click=${this.again}>${message("embed.again")}</button>
    </div>`;
  }

  protected override readonly turn = 0;

  private readonly again = (): void => {
    this.readings += 1;
    this.requestUpdate();
  };

  private readonly go = ({ detail: to }: CustomEvent<StepPlace | null>): void => {
    this.hovered = null;
    this.session.update(holding(to));
  };
}
