import {
  css,
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { PositionParameters } from "../../data/index.js";
import { formatNumber, message } from "../../i18n/index.js";
import { areBuckets, POSITION_NUMBERS } from "../../state/index.js";
import { partStyles } from "../../ui/base-styles.js";
import { PagePart } from "../../ui/page-part.js";
import { renderCoded } from "./failed-words.js";

/** Why a text is refused, with a code that is the same in every language. */
export interface Refusal {
  sentence: string;
  code: string;
}

/** A number that can be typed. */
export interface NumberField {
  /** Its own in the element that shows it. */
  id: string;
  /** What it is called, where no label stands around it. */
  label?: string;
  value: number;
  least: number;
  most: number;
  whole?: boolean;
  even?: boolean;
  /** What arrow keys move by; any number can be typed nevertheless. */
  step?: number;
  className?: string;
  /** Why a number in range is refused. */
  refuse?: (value: number) => Refusal | null;
  take: (value: number) => void;
}

/** A field whose text stands for something else. */
export interface TextField<Value> {
  id: string;
  label?: string;
  /** The value as text. */
  text: string;
  className?: string;
  inputMode: "numeric" | "decimal";
  read: (typed: string) => { value: Value } | Refusal;
  take: (value: Value) => void;
}

/** A text that is being typed or was refused, while the field's value is `held`. */
interface Typed {
  text: string;
  held: string;
  refused: (Refusal & { text: string }) | null;
}

/** Digits of a range's ends. */
const DIGITS = 3;
/** Of what was typed, what a sentence repeats. */
export const REPEATED = 24;

/**
 * The fields of a form that numbers are typed into. A refused text changes nothing: it stays, its field is marked as invalid, and
 * a sentence with a code says what is accepted. Escape restores the value, and so does a change of the value from elsewhere.
 */
export class NumberFields implements ReactiveController {
  private readonly typed = new Map<string, Typed>();
  /** The fields of this rendering: the texts of others are dropped. */
  private readonly drawn = new Set<string>();

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostUpdate(): void {
    this.drawn.clear();
  }

  hostUpdated(): void {
    for (const id of this.typed.keys()) if (!this.drawn.has(id)) this.typed.delete(id);
  }

  /** A field for a number. */
  number(field: NumberField): TemplateResult {
    const { value, least, most, whole = false, step } = field;
    const text = String(value);
    const read = (typed: string): { value: number } | Refusal => readNumber(typed, field);
    return this.render({ ...field, text, inputMode: whole ? "numeric" : "decimal", read }, [
      least,
      most,
      step ?? (whole ? 1 : "any"),
    ]);
  }

  /** A field for anything else that numbers are written into. */
  text<Value>(field: TextField<Value>): TemplateResult {
    return this.render(field, null);
  }

  /** Marks a field like a refused text, where the slider beside it was refused; null unmarks it. */
  mark(id: string, refused: { refusal: Refusal; typed: string; held: string } | null): void {
    if (!refused) this.typed.delete(id);
    else {
      const { refusal, typed: text, held } = refused;
      this.typed.set(id, { text, held, refused: { ...refusal, text } });
    }
  }

  /** Why texts were refused, below the fields that were rendered before. */
  troubles(): TemplateResult {
    const found = [...this.typed].flatMap(([id, { refused }]) =>
      refused && this.drawn.has(id)
        ? [html`<p class="refusal small" id=${troubleId(id)}>${renderCoded(refused)}</p>`]
        : [],
    );
    return html`<div class="refusals" aria-live="polite">${found}</div>`;
  }

  private render<Value>(
    { id, label, text: held, className = "", inputMode, read, take }: TextField<Value>,
    range: readonly (number | string)[] | null,
  ): TemplateResult {
    this.drawn.add(id);
    if (this.typed.get(id)?.held !== held) this.typed.delete(id);
    const { text = held, refused = null } = this.typed.get(id) ?? {};
    const [least, most, step] = range ?? [];
    return html`<input
      id=${id}
      class=${className}
      type=${range ? "number" : "text"}
      inputmode=${inputMode}
      spellcheck="false"
      autocomplete="off"
      aria-label=${label ?? nothing}
      aria-invalid=${refused ? "true" : nothing}
      aria-describedby=${refused ? troubleId(id) : nothing}
      min=${least ?? nothing}
      max=${most ?? nothing}
      step=${step ?? nothing}
      .value=${live(text)}
      @input=${({ target }: Event) => target instanceof HTMLInputElement && this.typed.set(id, { text: target.value, held, refused })}
      @blur=${() => this.leave(id)}
      @change=${({ target }: Event) => target instanceof HTMLInputElement && this.enter(id, held, target.value, read, take)}
      @keydown=${(event: KeyboardEvent) => this.press(event, id, held)}
    />`;
  }

  /** What was typed and not entered is dropped. */
  private leave(id: string): void {
    const typed = this.typed.get(id);
    if (typed?.refused) typed.text = typed.refused.text;
    else this.typed.delete(id);
  }

  private enter<Value>(
    id: string,
    held: string,
    text: string,
    read: TextField<Value>["read"],
    take: TextField<Value>["take"],
  ): void {
    const found = read(text);
    if ("code" in found) this.typed.set(id, { text, held, refused: { ...found, text } });
    else {
      this.typed.delete(id);
      take(found.value);
    }
    this.host.requestUpdate();
  }

  private press(event: KeyboardEvent, id: string, held: string): void {
    const { key, target } = event;
    if (key !== "Escape" || !this.typed.get(id)?.refused || !(target instanceof HTMLInputElement))
      return;
    // The page drops its pair by the same key.
    event.stopPropagation();
    this.typed.delete(id);
    target.value = held;
    this.host.requestUpdate();
  }
}

function troubleId(id: string): string {
  return `refused-${id}`;
}

/** A number field of a browser has no text where that is no number. */
function readNumber(
  typed: string,
  { least, most, whole = false, even = false, refuse }: NumberField,
): { value: number } | Refusal {
  const value = typed.trim() === "" ? NaN : Number(typed);
  const range = {
    least: formatNumber(least, DIGITS),
    most: formatNumber(most, DIGITS),
    typed: typed.slice(0, REPEATED),
  };
  const kind = whole ? "whole" : "any";
  if (!Number.isFinite(value))
    return { sentence: message(`field.noNumber.${kind}`, range), code: "field/not-a-number" };
  if (value < least || value > most)
    return { sentence: message(`field.outOfRange.${kind}`, range), code: "field/out-of-range" };
  if (whole && !Number.isInteger(value))
    return { sentence: message("field.notWhole", range), code: "field/not-whole" };
  if (even && value % 2 !== 0)
    return { sentence: message("field.notEven", range), code: "field/not-even" };
  return refuse?.(value) ?? { value };
}

/** Why T5's numbers are refused together. */
export function refusedBuckets(parameters: PositionParameters): Refusal | null {
  const { buckets = POSITION_NUMBERS.buckets.usual } = parameters;
  return areBuckets(parameters)
    ? null
    : { sentence: message("field.buckets", { buckets, half: buckets / 2 }), code: "field/buckets" };
}

/** A line of small controls that wraps. */
export const ruleStyles = css`
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }

  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 16px;
  }

  label,
  .reach {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-width: 0;
    color: var(--headscope-muted);
  }

  select,
  input {
    padding: 3px 0;
    border: 0;
    border-bottom: 1px solid var(--headscope-line);
    border-radius: 0;
    background: none;
    color: var(--headscope-ink);
    font: inherit;
  }

  option {
    background: var(--headscope-paper);
    color: var(--headscope-ink);
  }

  input[type="number"] {
    width: 56px;
    font-variant-numeric: tabular-nums;
  }

  /* Where a line has no room, what is slid is what gives way. */
  input[type="range"] {
    min-width: 96px;
  }

  input.tokens {
    width: 88px;
  }

  input[aria-invalid] {
    border-bottom-color: var(--headscope-accent);
    border-bottom-width: 2px;
  }

  .refusal {
    color: var(--headscope-accent);
  }

  .remove {
    margin-left: auto;
    padding: 4px 8px;
    color: var(--headscope-muted);
  }

  p {
    margin: 4px 0 0;
  }

  @media (pointer: coarse) {
    select,
    input {
      min-height: 40px;
    }
  }
`;

/** Steps of a slider whose numbers grow by factors. */
const STEPS = 240;
/** Digits that such a slider gives its numbers; more can be typed. */
const SLID_DIGITS = 2;

/** A number that is slid or typed. Fires `headscope-slide` with the number. */
@customElement("headscope-number-slider")
export class HeadscopeNumberSlider extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      .line {
        flex-wrap: nowrap;
        gap: 8px;
        color: var(--headscope-muted);
      }

      input[type="range"] {
        flex: none;
        width: min(180px, 34vw);
        border: 0;
        accent-color: var(--headscope-accent);
      }

      input[type="number"] {
        flex: none;
        width: 88px;
      }
    `,
  ];

  @property() label = "";
  @property({ type: Number }) value = 1;
  @property({ type: Number }) least = 1;
  @property({ type: Number }) most = 1;
  /** What the slider moves by, and whether typed numbers have to be whole, or even. */
  @property({ type: Number }) step = 1;
  @property({ type: Boolean }) whole = false;
  @property({ type: Boolean }) even = false;
  /** Whether it fires only where the slider is released, for numbers that are a step of undo each. */
  @property({ type: Boolean }) settled = false;
  @property({ type: Boolean }) logarithmic = false;

  /** Why a number in range is refused. */
  @property({ attribute: false }) refuse: ((value: number) => Refusal | null) | null = null;

  private readonly fields = new NumberFields(this);

  @query('input[type="number"]') private readonly field!: HTMLInputElement;

  override render(): TemplateResult {
    const { label, value, least, most, logarithmic } = this;
    const slid = logarithmic
      ? {
          least: 0,
          most: STEPS,
          step: 1,
          at: Math.round((STEPS * Math.log(value / least)) / Math.log(most / least)),
        }
      : { least, most, step: this.step, at: value };
    return html`<div class="line">
      <span aria-hidden="true">${label}</span>
      <input type="range" aria-label=${label} aria-valuetext=${formatNumber(value, SLID_DIGITS)} min=${slid.least} max=${slid.most} step=${slid.step} .value=${live(String(slid.at))} @input=${this.slide} @change=${this.rest} />
      ${this.fields.number({ id: "typed", label, value, least, most, whole: this.whole, even: this.even, ...(this.refuse && { refuse: this.refuse }), take: (typed) => this.tell(typed) })}
    </div>
    ${this.fields.troubles()}`;
  }

  private readonly slide = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    if (this.settled) this.field.value = String(this.at(target));
    else this.tell(this.at(target));
  };

  private readonly rest = ({ target }: Event): void => {
    if (this.settled && target instanceof HTMLInputElement) this.tell(this.at(target));
  };

  /** The number where the slider stands. */
  private at({ value }: HTMLInputElement): number {
    const { least, most } = this;
    return this.logarithmic
      ? Number((least * (most / least) ** (Number(value) / STEPS)).toPrecision(SLID_DIGITS))
      : Number(value);
  }

  private tell(value: number): void {
    const refusal = this.refuse?.(value) ?? null;
    this.fields.mark(
      "typed",
      refusal && { refusal, typed: String(value), held: String(this.value) },
    );
    if (!refusal && value !== this.value)
      this.dispatchEvent(
        new CustomEvent("headscope-slide", { detail: value, bubbles: true, composed: true }),
      );
    // A refused slider goes back to the value.
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-number-slider": HeadscopeNumberSlider;
  }
  interface HTMLElementEventMap {
    "headscope-slide": CustomEvent<number>;
  }
}
