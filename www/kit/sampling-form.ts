/** The form of how the next token is chosen: the likeliest one, or one drawn by its probability. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { message } from "../i18n/index.js";
import { SessionPart } from "../session/session.js";
import { type Sampling, type State, USUAL_SAMPLING } from "../state/index.js";
import type { NumberLimits } from "./fields.js";
import { type Control, Fields, formStyles, oneOf } from "./form.js";

/** The limits of each setting, in the order in which they change scores; the seed at the end. */
const LIMITS = {
  temperature: { least: 0.01, most: 100, step: 0 },
  top_k: { least: 0, most: 1_000_000 },
  top_p: { least: 0, most: 1, step: 0 },
  min_p: { least: 0, most: 1, step: 0 },
  seed: { least: 0, most: Number.MAX_SAFE_INTEGER },
} as const satisfies Readonly<Record<keyof Sampling, NumberLimits>>;
const KEYS = Object.keys(LIMITS) as (keyof Sampling)[];

/** The controls of a State's settings of sampling; the State keeps what they say. */
@customElement("headscope-sampling-form")
export class HeadscopeSamplingForm extends SessionPart {
  static override styles = [
    formStyles,
    css`
      .inline {
        gap: 6px 16px;
      }
      p {
        margin: 6px 0 0;
      }
    `,
  ];

  private readonly fields = new Fields(this);

  override render(): TemplateResult {
    const { sampling } = this.session.state;
    const choose = (how: "likeliest" | "drawn"): void =>
      this.put(how === "drawn" ? (sampling ?? USUAL_SAMPLING) : null);
    const how = oneOf(
      "segments",
      "sampling.how",
      ["likeliest", "drawn"] as const,
      sampling === null ? "likeliest" : "drawn",
      choose,
      "sampling",
    );
    const hint =
      sampling === null ? nothing : html`<p class="small muted">${message("sampling.hint")}</p>`;
    return html`<div class="inline">
        ${this.fields.render({ ...how, id: "how", caption: "" })}
        ${
          sampling === null
            ? nothing
            : KEYS.map((key) => this.fields.render(this.fieldOf(key, sampling)))
        }
      </div>
      ${this.fields.troubles()} ${hint}`;
  }

  private fieldOf(key: keyof Sampling, sampling: Sampling): Control {
    return {
      control: "number",
      id: key,
      caption: message(`sampling.${key}`),
      value: sampling[key],
      ...LIMITS[key],
      take: (value) => this.put({ ...sampling, [key]: value }),
    };
  }

  private put(sampling: State["sampling"]): void {
    this.session.update({ sampling });
  }
}
