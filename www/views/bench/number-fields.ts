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

/** Why what was typed is not taken: in a sentence, with a code that is the same in every language. */
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
  /** What speaks against a number that is in range. */
  refuse?: (value: number) => Refusal | null;
  take: (value: number) => void;
}

/** Something else that is typed as text. */
export interface TextField<Value> {
  id: string;
  label?: string;
  /** What holds, written down. */
  text: string;
  className?: string;
  inputMode: "numeric" | "decimal";
  read: (typed: string) => { value: Value } | Refusal;
  take: (value: Value) => void;
}

/** What was typed and not taken, beside what held then. */
interface Wrong extends Refusal {
  typed: string;
  held: string;
}

/** Digits of a range's ends. */
const DIGITS = 3;
/** Of what was typed, what a sentence repeats. */
export const REPEATED = 24;

/**
 * The fields of the bench that numbers are typed into. What cannot be taken changes nothing: it stays as it was typed, its
 * field is marked as invalid, and a sentence with a code says what could be. Escape brings back what holds, and so does
 * whatever changes it from elsewhere.
 */
export class NumberFields implements ReactiveController {
  private readonly wrong = new Map<string, Wrong>();
  /** What is being typed and was not handed in yet: an answer that arrives meanwhile must not take it away. */
  private readonly drafts = new Map<string, { typed: string; held: string }>();
  /** The fields that were drawn in this round: what was typed into one that is gone is forgotten. */
  private readonly drawn = new Set<string>();

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostUpdate(): void {
    this.drawn.clear();
  }

  hostUpdated(): void {
    for (const kept of [this.wrong, this.drafts])
      for (const id of kept.keys()) if (!this.drawn.has(id)) kept.delete(id);
  }

  /** A field for a number. */
  number(field: NumberField): TemplateResult {
    const { id, label, value, least, most, whole = false, step, className = "", take } = field;
    const wrong = this.wrongOf(id, String(value));
    return html`<input
      id=${id}
      class=${className}
      type="number"
      inputmode=${whole ? "numeric" : "decimal"}
      aria-label=${label ?? nothing}
      aria-invalid=${wrong ? "true" : nothing}
      aria-describedby=${wrong ? troubleId(id) : nothing}
      min=${least}
      max=${most}
      step=${step ?? (whole ? 1 : "any")}
      .value=${live(this.shown(id, String(value)))}
      @input=${(event: Event) => this.draft(event, id, String(value))}
      @blur=${() => this.drafts.delete(id)}
      @change=${(event: Event) => this.typed(event, id, String(value), (typed) => readNumber(typed, field), take)}
      @keydown=${(event: KeyboardEvent) => this.pressed(event, id, String(value))}
    />`;
  }

  /** A field for anything else that numbers are written into. */
  text<Value>({
    id,
    label,
    text,
    className = "",
    inputMode,
    read,
    take,
  }: TextField<Value>): TemplateResult {
    const wrong = this.wrongOf(id, text);
    return html`<input
      id=${id}
      class=${className}
      type="text"
      inputmode=${inputMode}
      spellcheck="false"
      autocomplete="off"
      aria-label=${label ?? nothing}
      aria-invalid=${wrong ? "true" : nothing}
      aria-describedby=${wrong ? troubleId(id) : nothing}
      .value=${live(this.shown(id, text))}
      @input=${(event: Event) => this.draft(event, id, text)}
      @blur=${() => this.drafts.delete(id)}
      @change=${(event: Event) => this.typed(event, id, text, read, take)}
      @keydown=${(event: KeyboardEvent) => this.pressed(event, id, text)}
    />`;
  }

  /** What a slider beside a field came to is marked there like what is typed, or takes the place of what was marked. */
  mark(id: string, refused: { refusal: Refusal; typed: string; held: string } | null): void {
    if (refused)
      this.wrong.set(id, { ...refused.refusal, typed: refused.typed, held: refused.held });
    else this.wrong.delete(id);
  }

  /** Why what was typed was not taken, below the fields that were drawn before. */
  troubles(): TemplateResult {
    const found = [...this.wrong].filter(([id]) => this.drawn.has(id));
    return html`<div class="refusals" aria-live="polite">${found.map(([id, refusal]) => html`<p class="refusal small" id=${troubleId(id)}>${renderCoded(refusal)}</p>`)}</div>`;
  }

  private wrongOf(id: string, held: string): Wrong | null {
    this.drawn.add(id);
    const wrong = this.wrong.get(id);
    if (wrong?.held === held) return wrong;
    this.wrong.delete(id);
    return null;
  }

  private shown(id: string, held: string): string {
    const draft = this.drafts.get(id);
    return (draft?.held === held ? draft.typed : this.wrong.get(id)?.typed) ?? held;
  }

  private draft({ target }: Event, id: string, held: string): void {
    if (target instanceof HTMLInputElement) this.drafts.set(id, { typed: target.value, held });
  }

  private typed<Value>(
    { target }: Event,
    id: string,
    held: string,
    read: (typed: string) => { value: Value } | Refusal,
    take: (value: Value) => void,
  ): void {
    if (!(target instanceof HTMLInputElement)) return;
    const { value: typed } = target;
    this.drafts.delete(id);
    const found = read(typed);
    if ("code" in found) this.wrong.set(id, { ...found, typed, held });
    else {
      this.wrong.delete(id);
      take(found.value);
    }
    this.host.requestUpdate();
  }

  private pressed(event: KeyboardEvent, id: string, held: string): void {
    const { target } = event;
    if (event.key !== "Escape" || !this.wrong.has(id) || !(target instanceof HTMLInputElement))
      return;
    // The page lets go of its pair by the same key.
    event.stopPropagation();
    this.wrong.delete(id);
    this.drafts.delete(id);
    target.value = held;
    this.host.requestUpdate();
  }
}

/** What a field with a wrong text in it is described by. */
function troubleId(id: string): string {
  return `refused-${id}`;
}

/** Of what no browser reads as a number, a field for numbers only tells that it is there. */
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

/** What speaks against T5's numbers together. */
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

/**
 * A number that is slid or typed; what is out of its range is not taken, and it says so. Fires `headscope-slide` with the number, and shows
 * what whoever hears it makes of it.
 */
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
  /** Whether only what the slider comes to rest at is told: where every number is a change that can be undone. */
  @property({ type: Boolean }) settled = false;
  /** Whether the same way of the slider is the same factor, not the same sum. */
  @property({ type: Boolean }) logarithmic = false;

  /** What speaks against a number that is in range. */
  @property({ attribute: false }) refuse: ((value: number) => Refusal | null) | null = null;

  private readonly fields = new NumberFields(this);

  @query('input[type="number"]') private readonly passing!: HTMLInputElement;

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
    // On its way the number is seen, though nobody is told of it.
    if (this.settled) this.passing.value = String(this.at(target));
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
    // Also where nothing comes of it, the slider goes back to the number that holds, and so does what was typed unless it is refused.
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
