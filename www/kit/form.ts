import {
  css,
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
  unsafeCSS,
} from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { HeadRef, PositionParameters, Scope } from "../data/index.js";
import { currentLocale, formatNumber, message, type MessageKey } from "../i18n/index.js";
import { REACHES, scopeAt, type NumberRange, type Reach } from "../state/index.js";
import { POSITION_NUMBERS, reachOf } from "../state/experiment-edits.js";
import { areBuckets } from "../state/experiment-edits.js";
import type { HeadscopeChoice } from "../ui/choice.js";
import "../ui/choice.js";
import { PagePart } from "../ui/page-part.js";
import type { NumberLimits } from "./fields.js";
import { scopeLabel } from "../session/edit-labels.js";
import styles from "./form.css?inline";
import { renderDetails } from "../elements/shared/templates.js";
import { isBlank } from "../session/run/computation.js";
import { asFailure, describeFailure, type Refusal } from "../session/run/failures.js";

/*
 * Forms as data: a control says what it shows and what it changes. `Fields` draws controls in any
 * element of the page, `<headscope-rule>` a whole form.
 */

interface Option {
  value: string;
  label: string;
  group?: string;
  disabled?: boolean;
}

/** A choice of one of several, in a list or in a row; `caption` is a visible label. */
interface Choosing {
  control: "list" | "add" | HeadscopeChoice["look"];
  id?: string;
  label: string;
  caption?: string;
  /** The chosen option; "" for none. An adding list has none. */
  value: string;
  options: readonly Option[];
  disabled?: boolean;
  choose: (value: string) => void;
}

type Typing = { id: string; wide?: boolean } & Partial<Pick<Choosing, "label" | "caption">>;

/** A number that is typed or, with a slider, also moved. */
export interface NumberField extends Typing, NumberLimits {
  control: "number" | "slider";
  value: number;
  refuse?: (value: number) => Refusal | null;
  take: (value: number) => void;
  /** Whether a number is accepted only when the slider is released. */
  settled?: boolean;
}

export type Control =
  | Choosing
  | NumberField
  // A text that stands for a value: `enter` accepts the value, or returns why it is refused.
  | (Typing & {
      control: "text";
      text: string;
      keys?: "decimal" | "numeric";
      /** Whether the Tab key skips the field. */
      passed?: boolean;
      enter: (typed: string) => Refusal | null;
    })
  | (Typing & {
      control: "line" | "lines";
      text: string;
      placeholder?: string;
      take: (text: string) => void;
    })
  | { control: "toggle"; id?: string; label: string; on: boolean; off?: boolean; press: () => void }
  | { control: "button"; label: string; disabled?: boolean; press: () => void };

type Keyed<
  Prefix extends string,
  Value extends string | number,
> = `${Prefix}.${Value}` extends MessageKey ? Prefix : never;

/**
 * A choice among typed values: `names` is the prefix of their messages, or returns label and group.
 */
export function oneOf<Value extends string | number, const Prefix extends string = never>(
  control: Choosing["control"],
  label: MessageKey,
  values: readonly Value[],
  value: string | number,
  choose: (value: Value) => void,
  names:
    | (Prefix & Keyed<Prefix, Value>)
    | ((value: Value) => string | Omit<Option, "value">)
    | null = null,
): Choosing {
  const options = values.map((one) => {
    const own =
      names instanceof Function ? names(one) : message(`${names ?? label}.${one}` as MessageKey);
    return { value: String(one), ...(typeof own === "string" ? { label: own } : own) };
  });
  const words = message(label);
  const put = (text: string): void =>
    values.filter((known) => String(known) === text).forEach((one) => choose(one));
  return { control, label: words, caption: words, value: String(value), options, choose: put };
}

export function bare(field: Choosing): Choosing {
  return { ...field, caption: "" };
}

export function numberField(
  id: string,
  caption: MessageKey,
  value: number,
  { least, most, fraction }: NumberRange,
  take: (value: number) => void,
): NumberField {
  const step = fraction ? 0 : 1;
  return { control: "number", id, caption: message(caption), value, least, most, step, take };
}

export function toggle(label: MessageKey, on: boolean, press: () => void): Control {
  return { control: "toggle", label: message(label), on, press };
}

/** A choice of the heads to which a setting applies, relative to the shown head. */
export function reachField<Value extends string = Reach>(
  label: MessageKey,
  values: readonly Value[],
  value: Value,
  { stack, layer, head }: HeadRef,
  choose: (value: Value) => void,
  names?: (value: Value) => string | null,
): Choosing {
  const place = { layer: layer + 1, head: head + 1, stack: message(`stack.${stack}`) };
  const named = (one: Value): string =>
    names?.(one) ?? message(`rule.reach.${one as Reach}`, place);
  const caption = message("rule.for");
  return { ...oneOf("list", label, values, value, choose, named), caption };
}

/** A choice of the scope of an edit, which may not contain the shown head. */
export function scopeField(scope: Scope, head: HeadRef, choose: (scope: Scope) => void): Choosing {
  const reach = reachOf(scope, head);
  return reachField<Reach | "">(
    "rule.where",
    reach ? REACHES : ["", ...REACHES],
    reach ?? "",
    head,
    (to) => to && choose(scopeAt(to, head)),
    (one) => (one === "" ? scopeLabel(scope) : null),
  );
}

export function refusedBuckets(parameters: PositionParameters): Refusal | null {
  const { buckets = POSITION_NUMBERS.buckets.usual } = parameters;
  return areBuckets(parameters)
    ? null
    : { sentence: message("field.buckets", { buckets, half: buckets / 2 }), code: "field/buckets" };
}

/** A text that is being typed or was refused, while the field keeps the value `held`. */
interface Typed {
  text: string;
  held: string;
  refused: Refusal | null;
}

/** The most characters of a typed text that a sentence repeats. */
export const REPEATED = 24;
/** The steps of a logarithmic slider, and the digits of its numbers; more digits can be typed. */
const STEPS = 240;
const SLID_DIGITS = 2;

/**
 * Draws the controls of an element. A refused text changes nothing: it stays, its field is marked
 * as invalid, and a sentence with a code says what is accepted. Escape restores the value, and so
 * does a change of the value from elsewhere.
 */
export class Fields implements ReactiveController {
  private readonly typed = new Map<string, Typed>();
  private readonly drawn = new Set<string>();
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostUpdate(): void {
    this.drawn.clear();
  }

  hostUpdated(): void {
    for (const id of this.typed.keys()) if (!this.drawn.has(id)) this.typed.delete(id);
  }

  hostDisconnected(): void {
    clearTimeout(this.rest);
    this.typed.clear();
  }

  render(control: Control): TemplateResult {
    switch (control.control) {
      case "number":
        return labelled(control, this.number(control));
      case "text":
        return labelled(control, this.input(control));
      case "slider":
        return this.slider(control);
      case "line":
      case "lines":
        return this.line(control);
      case "toggle":
        return html`<button
          class="toggle"
          data-option=${control.id ?? nothing}
          aria-pressed=${control.on}
          ?disabled=${control.off}
          @click=${control.press}
        >
          ${control.label}
        </button>`;
      case "button":
        return html`<button class="press act" ?disabled=${control.disabled} @click=${control.press}>
          ${control.label}
        </button>`;
      case "list":
      case "add":
        return labelled(control, renderList(control));
      default:
        return html`<span class="choice"
          >${control.caption}
          <headscope-choice
            id=${control.id ?? nothing}
            look=${control.control}
            .label=${control.label}
            .value=${control.value}
            .choices=${control.options}
            @headscope-choose=${(event: CustomEvent<string>) => {
              event.stopPropagation();
              control.choose(event.detail);
            }}
          ></headscope-choice
        ></span>`;
    }
  }

  troubles(): TemplateResult {
    const found = [...this.typed].flatMap(([id, { refused }]) =>
      refused && this.drawn.has(id)
        ? [html`<p class="refusal small" id="refused-${id}">${renderCoded(refused)}</p>`]
        : [],
    );
    return html`<div class="refusals" aria-live="polite">${found}</div>`;
  }

  /** Drops typed texts of fields, whose values were replaced. */
  restore(...ids: readonly string[]): void {
    for (const id of ids) this.typed.delete(id);
  }

  private typedInto(id: string, held: string): Typed | undefined {
    this.drawn.add(id);
    if (this.typed.get(id)?.held !== held) this.typed.delete(id);
    return this.typed.get(id);
  }

  private settle(id: string, text: string, held: string, refused: Refusal | null): void {
    if (refused) this.typed.set(id, { text, held, refused });
    else this.typed.delete(id);
    this.host.requestUpdate();
  }

  private number(field: NumberField): TemplateResult {
    const { value, least, most, step = 1, take } = field;
    const enter = (typed: string): Refusal | null => {
      const found = readNumber(typed, field);
      if (typeof found !== "number") return found;
      take(found);
      return null;
    };
    const text = String(value);
    const keys = step < 1 ? "decimal" : "numeric";
    const ends = { least, most, step: step || "any" };
    return this.input({ ...field, control: "text", text, keys, enter }, ends);
  }

  private slider(field: NumberField): TemplateResult {
    const { id, label, value, least, most, step = 1, settled, words, refuse } = field;
    const logarithmic = step === 0;
    const ends = logarithmic ? [0, STEPS, 1] : [least, most, step];
    const at = logarithmic
      ? Math.round((STEPS * Math.log(value / least)) / Math.log(most / least))
      : value;
    const numberAt = ({ target }: Event): number => {
      const place = Number((target as HTMLInputElement).value);
      return logarithmic
        ? Number((least * (most / least) ** (place / STEPS)).toPrecision(SLID_DIGITS))
        : place;
    };
    const typedId = `${id}-typed`;
    const locale = currentLocale();
    const put = (next: number): void => {
      const refused = locale.within(() => refuse?.(next) ?? null);
      // A refused slider goes back to the value.
      this.settle(typedId, String(next), String(value), refused);
      if (!refused && next !== value) field.take(next);
    };
    const moved = (event: Event): void => {
      const typed = (event.target as Element).nextElementSibling;
      if (!settled) put(numberAt(event));
      else if (typed instanceof HTMLInputElement) typed.value = String(numberAt(event));
    };
    return html`<span class="slider" id=${id}>
      <span aria-hidden="true">${label}</span>
      <input
        type="range"
        aria-label=${label}
        aria-valuetext=${words?.(value) ?? formatNumber(value, SLID_DIGITS)}
        min=${ends[0]}
        max=${ends[1]}
        step=${ends[2]}
        .value=${live(String(at))}
        @input=${moved}
        @change=${(event: Event) => settled && put(numberAt(event))}
      />
      ${
        words
          ? html`<output>${words(value)}</output>`
          : this.number({ ...field, id: typedId, step: Math.min(step, 1), take: put })
      }
    </span>`;
  }

  private line(field: Control & { control: "line" | "lines" }): TemplateResult {
    const { control, id, label, text: held, placeholder = nothing, take } = field;
    const text = live(this.typedInto(id, held)?.text ?? held);
    const typed = ({ target }: Event): void => {
      const { value } = target as HTMLInputElement;
      clearTimeout(this.rest);
      this.typed.set(id, { text: value, held, refused: null });
      this.rest = setTimeout(() => {
        if (this.typed.get(id)?.text === value && this.typed.delete(id)) take(value);
      }, 250);
    };
    return control === "lines"
      ? html`<textarea
          id=${id}
          dir="auto"
          aria-label=${label}
          placeholder=${placeholder}
          .value=${text}
          @input=${typed}
        ></textarea>`
      : html`<label class="line-field"
          >${label}
          <input
            id=${id}
            type="text"
            dir="auto"
            autocomplete="off"
            placeholder=${placeholder}
            .value=${text}
            @input=${typed}
        /></label>`;
  }

  private input(
    { id, label, text: held, wide, keys, passed, enter }: Control & { control: "text" },
    { least, most, step }: Readonly<Record<string, number | string>> = {},
  ): TemplateResult {
    const { text = held, refused = null } = this.typedInto(id, held) ?? {};
    const locale = currentLocale();
    const entered = ({ target }: Event): void => {
      const { value } = target as HTMLInputElement;
      const refusal = locale.within(() => enter(value));
      this.settle(id, value, held, refusal);
    };
    const escaped = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !this.typed.get(id)?.refused) return;
      // The page's own Escape would unlock its pair.
      event.stopPropagation();
      (event.target as HTMLInputElement).value = held;
      this.settle(id, held, held, null);
    };
    return html`<input
      id=${id}
      class=${wide ? "wide" : ""}
      type=${step === undefined ? "text" : "number"}
      inputmode=${keys ?? nothing}
      tabindex=${passed ? -1 : nothing}
      spellcheck="false"
      autocomplete="off"
      aria-label=${label ?? nothing}
      aria-invalid=${refused ? "true" : nothing}
      aria-describedby=${refused ? `refused-${id}` : nothing}
      min=${least ?? nothing}
      max=${most ?? nothing}
      step=${step ?? nothing}
      .value=${live(text)}
      @input=${({ target }: Event) =>
        this.typed.set(id, { text: (target as HTMLInputElement).value, held, refused })}
      @blur=${() => !this.typed.get(id)?.refused && this.typed.delete(id)}
      @change=${entered}
      @keydown=${escaped}
    />`;
  }
}

function labelled({ caption }: { caption?: string }, field: TemplateResult): TemplateResult {
  return caption ? html`<label>${caption} ${field}</label>` : field;
}

/** The number in a number field, whose text is empty in a browser if it is no number. */
function readNumber(typed: string, field: NumberField): number | Refusal {
  const { least, most, step = 1, even = false, refuse } = field;
  const whole = step >= 1;
  const value = typed.trim() === "" ? NaN : Number(typed);
  const from = formatNumber(least, 3);
  const to = formatNumber(most, 3);
  const range = { least: from, most: to, typed: typed.slice(0, REPEATED) };
  const kind = whole ? "whole" : "any";
  const refused = (key: MessageKey, code: string): Refusal => ({
    sentence: message(key, range),
    code: `field/${code}`,
  });
  if (!Number.isFinite(value)) return refused(`field.noNumber.${kind}`, "not-a-number");
  if (value < least || value > most) return refused(`field.outOfRange.${kind}`, "out-of-range");
  if (whole && !Number.isInteger(value)) return refused("field.notWhole", "not-whole");
  if (even && value % 2 !== 0) return refused("field.notEven", "not-even");
  return refuse?.(value) ?? value;
}

function renderList(list: Choosing): TemplateResult {
  const { id, label, value, options, disabled } = list;
  const adds = list.control === "add";
  const option = (one: Option): TemplateResult =>
    html`<option value=${one.value} ?disabled=${one.disabled} .selected=${one.value === value}>
      ${one.label}
    </option>`;
  const groups = [...new Set(options.map(({ group }) => group))].map((group) => {
    const own = options.filter((one) => one.group === group).map(option);
    return group === undefined ? own : html`<optgroup label=${group}>${own}</optgroup>`;
  });
  const chosen = ({ target }: Event): void => {
    const select = target as HTMLSelectElement;
    const chosenValue = select.value;
    if (adds) select.value = "";
    list.choose(chosenValue);
  };
  return html`<select
    id=${id ?? nothing}
    aria-label=${label}
    ?disabled=${disabled}
    @keydown=${adds ? openByKeys : nothing}
    @change=${chosen}
  >
    ${
      adds ? html`<option value="" .selected=${true}>${message("rule.choose")}</option>` : nothing
    }${groups}
  </select>`;
}

const CHOOSING = /^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End|\S)$/;

/**
 * Opens a closed list by keys, as Space does by itself: otherwise a key would add the next entry at
 * once. Enter adds.
 */
function openByKeys(event: KeyboardEvent): void {
  const { key, currentTarget, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || !CHOOSING.test(key)) return;
  if (!(currentTarget instanceof HTMLSelectElement) || !("showPicker" in currentTarget)) return;
  event.preventDefault();
  currentTarget.showPicker();
}

/** The controls of one edit. `named` shows the title, which otherwise only screen readers read. */
export interface Form {
  title?: string;
  named?: boolean;
  lines: readonly (readonly (Control | null | false | undefined)[])[];
  remove?: { label: string; press: () => void };
  hint?: string;
  status?: string;
}

export function renderForms(forms: readonly Form[]): TemplateResult[] {
  return forms.map((form) => html`<headscope-rule .form=${form}></headscope-rule>`);
}

export const formStyles = unsafeCSS(styles);

@customElement("headscope-rule")
export class HeadscopeRule extends PagePart {
  static override styles = [
    formStyles,
    css`
      :host {
        padding: 10px 0;
        border-top: 1px solid var(--_line);
      }
      :host(:first-of-type) {
        border-top: 0;
      }
      .inline + .inline {
        margin-top: 6px;
      }
      .name {
        min-width: 128px;
      }
      p {
        margin-top: 4px;
      }
      /* At one place, however the fields beside it wrap. */
      fieldset {
        position: relative;
      }
      .inline:has(> .remove) {
        padding-right: 32px;
      }
      .remove {
        position: absolute;
        top: 0;
        right: 0;
      }
    `,
  ];

  @property({ attribute: false }) form: Form = { lines: [] };

  private readonly fields = new Fields(this);

  override render(): TemplateResult {
    const { title, named = false, lines, remove, hint, status } = this.form;
    return html`<fieldset>
      ${title === undefined ? nothing : html`<legend class="visually-hidden">${title}</legend>`}
      ${lines.map(
        (line, at) =>
          html`<div class="inline">
            ${
              named && at === 0
                ? html`<span class="name" aria-hidden="true">${title}</span>`
                : nothing
            }
            ${line.map((control) => (control ? this.fields.render(control) : nothing))}
            ${
              remove && at === 0
                ? html`<button
                    class="remove muted"
                    aria-label=${remove.label}
                    title=${remove.label}
                    @click=${remove.press}
                  >
                    ×
                  </button>`
                : nothing
            }
          </div>`,
      )}
      ${this.fields.troubles()}
      ${hint === undefined ? nothing : html`<p class="small muted">${hint}</p>`}
      ${status === undefined ? nothing : html`<p class="small muted" role="status">${status}</p>`}
    </fieldset>`;
  }
}

/**
 * The sentence for an engine, or its GPU, that stopped during long work; `begun` says that a part
 * is done.
 */
export function crashedWords(crash: unknown, begun: boolean): string {
  const key = asFailure(crash).code === "gpu/lost" ? "experiments.gpuLost" : "experiments.crashed";
  return message(begun ? `${key}.kept` : key);
}

/** A failure with its code, by default in the page's own sentence. */
export function renderFailed(thrown: unknown, sentence?: string): TemplateResult {
  return renderCoded({ ...describeFailure(thrown), ...(sentence !== undefined && { sentence }) });
}

export function renderCoded({ sentence, code }: Refusal): TemplateResult {
  return html`${sentence} ${renderDetails(html`<code>${code}</code>`)}`;
}

/**
 * The note in place of an experiment without a run: a sentence must be typed, or the model has not
 * read it yet.
 */
export function renderNoRun(
  text: string,
  noText: "rule.noText" | "at.noText" = "rule.noText",
): TemplateResult {
  return html`<p class="muted">${message(isBlank(text) ? noText : "rule.unread")}</p>`;
}
