import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { HeadRef, Scope } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { reachOf, REACHES, scopeAt, type NumberRange, type Reach } from "../../state/index.js";
import { partStyles, toggleStyles } from "../../ui/base-styles.js";
import "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import { scopeLabel } from "../edit-labels.js";
import { NumberFields, ruleStyles, type NumberField, type TextField } from "./number-fields.js";

/*
 * The rule editor. What the page can set of an edit is a form, and a form is data: the lists of edits say which controls
 * there are, what they show and what they change; `<headscope-rule>` draws them.
 */

export interface Option {
  value: string;
  label: string;
  /** Under which title it stands in a list. */
  group?: string;
  disabled?: boolean;
}

/** One of several, in a list that opens or in a row. */
export interface Choosing {
  control: "list" | "segments" | "words" | "add";
  id?: string;
  label: string;
  /** What stands before it; without it the label is only heard. */
  caption?: string;
  /** The option that holds; "" where none does. A list that adds has none. */
  value: string;
  options: readonly Option[];
  disabled?: boolean;
  choose: (value: string) => void;
}

export type Control =
  | Choosing
  | (NumberField & { control: "number"; caption?: string })
  | (NumberField & { control: "slider"; label: string })
  | (TextField<number[]> & { control: "text"; caption: string })
  | { control: "toggle"; label: string; on: boolean; press: () => void }
  | { control: "button"; id?: string; label: string; disabled?: boolean; press: () => void };

/** What can be set of one edit. */
export interface Form {
  /** What it is called; it is heard, and shown where `named` says so. */
  title?: string;
  named?: boolean;
  lines: readonly (readonly (Control | TemplateResult | null)[])[];
  remove?: { label: string; press: () => void };
  hint?: string | TemplateResult;
  /** What its settings amount to, which is heard when it changes. */
  status?: string;
}

/** A choice among values that TypeScript knows. */
export function oneOf<Value extends string>({
  values,
  show,
  choose,
  ...field
}: Omit<Choosing, "options" | "choose"> & {
  values: readonly Value[];
  /** What a value is called, or all that there is to say of its option. */
  show: (value: Value) => string | Omit<Option, "value">;
  choose: (value: Value) => void;
}): Choosing {
  const options = values.map((value) => {
    const shown = show(value);
    return { value, ...(typeof shown === "string" ? { label: shown } : shown) };
  });
  return {
    ...field,
    options,
    choose: (chosen) => {
      const value = values.find((one) => one === chosen);
      if (value !== undefined) choose(value);
    },
  };
}

/** A number of an edit. */
export function numberIn(
  id: string,
  caption: string,
  value: number,
  { least, most, fraction = false }: NumberRange,
  take: (value: number) => void,
): NumberField & { control: "number"; caption: string } {
  const className = fraction ? "fraction" : "";
  return { control: "number", id, caption, value, least, most, whole: !fraction, className, take };
}

/** For which heads a setting holds, seen from the head that is shown. */
export function reachField<Value extends string = Reach>(
  field: { label: string; value: Value; choose: (value: Value) => void },
  head: HeadRef,
  values: readonly Value[],
  show?: (value: Value) => string | null,
): Choosing {
  const place = {
    layer: head.layer + 1,
    head: head.head + 1,
    stack: message(`stack.${head.stack}`),
  };
  return oneOf({
    control: "list",
    caption: message("rule.for"),
    values,
    show: (value) => show?.(value) ?? message(`rule.reach.${value as Reach}`, place),
    ...field,
  });
}

/** The same for the scope of an edit, which may be about other heads than those that this one is part of. */
export function scopeField(scope: Scope, head: HeadRef, choose: (scope: Scope) => void): Choosing {
  const reach = reachOf(scope, head) ?? "";
  const field = reachField<Reach | "">(
    {
      label: message("rule.where"),
      value: reach,
      choose: (chosen) => chosen !== "" && choose(scopeAt(chosen, head)),
    },
    head,
    reach === "" ? ["", ...REACHES] : REACHES,
    (value) => (value === "" ? scopeLabel(scope) : null),
  );
  return { ...field, id: "reach" };
}

/** Forms one below the other. */
export function renderForms(forms: readonly Form[]): TemplateResult[] {
  return forms.map((form) => html`<headscope-rule .form=${form}></headscope-rule>`);
}

/** Draws a form. */
@customElement("headscope-rule")
export class HeadscopeRule extends PagePart {
  static override styles = [
    partStyles,
    toggleStyles,
    ruleStyles,
    css`
      :host {
        display: block;
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }

      :host(:first-of-type) {
        border-top: 0;
      }

      .line + .line {
        margin-top: 6px;
      }

      .name {
        min-width: 128px;
      }

      input.fraction {
        width: 72px;
      }

      input.wide {
        width: 96px;
      }

      .press {
        color: var(--headscope-accent);
      }

      [role="status"] {
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property({ attribute: false }) form: Form = { lines: [] };

  private readonly fields = new NumberFields(this);

  override render(): TemplateResult {
    const { title, named = false, lines, remove, hint, status } = this.form;
    return html`<fieldset>
      ${title === undefined ? nothing : html`<legend class="visually-hidden">${title}</legend>`}
      ${lines.map(
        (line, at) => html`<div class="line">
          ${named && at === 0 ? html`<span class="name" aria-hidden="true">${title}</span>` : nothing}
          ${line.map((part) => (part === null ? nothing : "control" in part ? this.renderControl(part) : part))}
          ${remove && at === 0 ? html`<button class="remove" aria-label=${remove.label} title=${remove.label} @click=${remove.press}>×</button>` : nothing}
        </div>`,
      )}
      ${this.fields.troubles()}
      ${hint === undefined ? nothing : html`<p class="small muted">${hint}</p>`}
      ${status === undefined ? nothing : html`<p class="small muted" role="status">${status}</p>`}
    </fieldset>`;
  }

  private renderControl(control: Control): TemplateResult {
    switch (control.control) {
      case "number":
        return captioned(control.caption, this.fields.number(control));
      case "text":
        return captioned(control.caption, this.fields.text(control));
      case "slider":
        return renderSlider(control);
      case "toggle":
        return html`<button class="toggle" aria-pressed=${control.on} @click=${control.press}>${control.label}</button>`;
      case "button":
        return html`<button class="press" id=${control.id ?? nothing} ?disabled=${control.disabled} @click=${control.press}>${control.label}</button>`;
      case "list":
      case "add":
        return captioned(control.caption, renderList(control));
      default:
        return html`<span class="reach">${control.caption}
          <headscope-choice
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
}

function captioned(caption: string | undefined, field: TemplateResult): TemplateResult {
  return caption === undefined ? field : html`<label>${caption} ${field}</label>`;
}

/** Where every number is a change that can be undone, only the one that the slider rests at is taken. */
function renderSlider(field: NumberField & { label: string }): TemplateResult {
  const { id, label, value, least, most, whole = false, take } = field;
  return html`<headscope-number-slider id=${id} .label=${label} .value=${value} .least=${least} .most=${most} .whole=${whole} settled @headscope-slide=${({ detail }: CustomEvent<number>) => take(detail)}></headscope-number-slider>`;
}

function renderList({
  control,
  id,
  label,
  value,
  options,
  disabled = false,
  choose,
}: Choosing): TemplateResult {
  const adds = control === "add";
  const renderOption = (option: Option): TemplateResult =>
    html`<option value=${option.value} ?disabled=${option.disabled} .selected=${option.value === value}>${option.label}</option>`;
  const groups = [...new Set(options.map(({ group }) => group))].map((group) => {
    const own = options.filter((option) => option.group === group).map(renderOption);
    return group === undefined ? own : html`<optgroup label=${group}>${own}</optgroup>`;
  });
  return html`<select
    id=${id ?? nothing}
    aria-label=${label}
    ?disabled=${disabled}
    @keydown=${adds ? openByKeys : nothing}
    @change=${({ target }: Event) => {
      if (!(target instanceof HTMLSelectElement)) return;
      const chosen = target.value;
      if (adds) target.value = "";
      choose(chosen);
    }}
  >${adds ? html`<option value="" .selected=${true}>${message("rule.choose")}</option>` : nothing}${groups}</select>`;
}

/** Keys that choose in a list while it is closed. */
const CHOOSING: readonly string[] = [
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "PageUp",
  "PageDown",
  "Home",
  "End",
];

/**
 * For a list that adds what is chosen and goes back to its first entry. While it is closed, a key would add at once, and one
 * would come no further than the next entry: so keys open it, and what is gone to in it is added by Enter.
 */
function openByKeys(event: KeyboardEvent): void {
  const { key, currentTarget, altKey, ctrlKey, metaKey } = event;
  if (!(currentTarget instanceof HTMLSelectElement) || altKey || ctrlKey || metaKey) return;
  // Space opens a list by itself; a letter looks for an entry.
  const chooses = CHOOSING.includes(key) || (key.length === 1 && key !== " ");
  if (!chooses || !("showPicker" in currentTarget)) return;
  event.preventDefault();
  currentTarget.showPicker();
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-rule": HeadscopeRule;
  }
}
