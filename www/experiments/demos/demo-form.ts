/** The form of a demo: a control for each of its fields, with the values that the model allows. */
import { html, nothing, type TemplateResult } from "lit";
import { formatNumber, message } from "../../i18n/index.js";
import { nearest, type Field, type Range, type Value, type Values } from "../../kit/fields.js";
import { bare, type Control, Fields, oneOf } from "../../kit/form.js";
import { Settings } from "../../kit/settings.js";
import type { SessionPart } from "../../session/session.js";
import type { Demo, Fitted, OnPage } from "./demo.js";

/**
 * The fields of one demo: their values in the State, limited to what the model and the text allow,
 * and their controls.
 */
export class DemoForm {
  /** The values of the fields with which the demo asks. */
  values: Values = {};
  private readonly controls: Fields;
  private readonly settings: Settings<Demo["fields"]>;
  /** The limits of the fields on the present page. */
  private fitted: Readonly<Record<string, Fitted>> = {};
  private isFitted = false;

  constructor(
    host: SessionPart,
    private readonly demo: Demo,
  ) {
    this.controls = new Fields(host);
    this.settings = new Settings(host, demo.name, demo.fields, () =>
      this.isFitted ? this.values : null,
    );
  }

  /** Takes the limits of the fields from the page, and from the last answer of the demo. */
  fit(on: OnPage, answer: unknown): void {
    const { demo, settings } = this;
    const fitted = demo.fit ? demo.fit(on, settings.values, answer) : {};
    this.isFitted = Boolean(fitted);
    if (fitted) this.fitted = fitted;
    const near = Object.entries(settings.values).map(([key, value]) => [
      key,
      fitTo(value, this.fitted[key]),
    ]);
    this.values = Object.fromEntries(near) as Values;
  }

  /** The values of the fields on which the answer depends. */
  get asking(): unknown[] {
    const fields = Object.entries(this.demo.fields);
    return fields.flatMap(([key, { asks = true }]) => (asks ? [this.values[key]] : []));
  }

  /** The values to show an answer to `asked` with; what only views depend on is as it is now. */
  shownWith(asked: Values): Values {
    const fields = Object.entries(this.demo.fields).map(([key, { asks = true, opens }]) => [
      key,
      (asks ? asked : this.values)[key] ?? opens,
    ]);
    return Object.fromEntries(fields) as Values;
  }

  /** Increases a number by one, or restarts it; returns whether there is such a number. */
  advance(key: string): boolean {
    const field = this.demo.fields[key];
    if (field?.control !== "number") return false;
    const value = Number(this.settings.values[key]);
    this.settings.set(key, value < field.most ? value + 1 : field.least);
    return true;
  }

  /** Renders the controls of all fields that are not beside a view, with `more` beside them. */
  render(more: TemplateResult | typeof nothing): TemplateResult | typeof nothing {
    const { fields } = this.demo;
    const keys = Object.keys(fields).filter((key) => !fields[key]?.inView);
    return keys.length === 0
      ? nothing
      : html`<div class="controls inline">${keys.map((key) => this.renderField(key))}${more}</div>
          ${this.controls.troubles()}`;
  }

  /** Renders the control of a field; nothing for one without a label, or without a choice. */
  renderField(id: string): unknown {
    const field = this.demo.fields[id];
    const { hidden = false, placeholder = "" } = this.fitted[id] ?? {};
    if (!field?.label || hidden) return nothing;
    const label = message(field.label);
    const value = this.values[id] ?? field.opens;
    const put = (next: Value): void => this.settings.set(id, next);

    switch (field.control) {
      case "flag":
        return this.renderToggle(id, label, value === true, () => put(value !== true));
      case "some":
        return this.renderToggles(id, field, typeof value === "object" ? value : [], put);
      case "text": {
        const control = field.long ? "lines" : "line";
        const text = String(value);
        return this.controls.render({ control, id, label, text, placeholder, take: put });
      }
      default:
        return field.control === "number" && !field.list
          ? this.renderSlider(id, field, Number(value), put)
          : this.renderChoice(id, field, value, put);
    }
  }

  private renderToggle(
    id: string,
    label: string,
    on: boolean,
    press: () => void,
    off = false,
  ): TemplateResult {
    return this.controls.render({ control: "toggle", id, label, on, off, press });
  }

  /** Renders a toggle for each option, of which any number can be on. */
  private renderToggles(
    id: string,
    field: Extract<Field, { control: "some" }>,
    chosen: readonly string[],
    put: (next: readonly string[]) => void,
  ): TemplateResult {
    const { off = [] } = this.fitted[id] ?? {};
    const toggles = field.options.map((option) => {
      const on = chosen.includes(option);
      const next = on ? chosen.filter((other) => other !== option) : [...chosen, option];
      const press = (): void => put(next);
      return this.renderToggle(option, nameOf(field, option), on, press, off.includes(option));
    });
    const label = field.label && message(field.label);
    return html`<div id=${id} class="toggles inline" role="group" aria-label=${label}>
      ${toggles}
    </div>`;
  }

  private renderSlider(
    id: string,
    field: Extract<Field, { control: "number" }>,
    value: number,
    put: (next: number) => void,
  ): TemplateResult {
    const { from = 0 } = field;
    const { within = {} } = this.fitted[id] ?? {};
    const others = field.within?.((key) => Number(this.values[key]), { numbers: null }) ?? {};
    const bounds: readonly Range[] = [field, others, within];
    return this.controls.render({
      ...field,
      control: "slider",
      id,
      label: field.label ? message(field.label) : "",
      value: value + from,
      least: from + Math.max(...bounds.map(({ least = field.least }) => least)),
      most: from + Math.min(...bounds.map(({ most = field.most }) => most)),
      refuse: (typed) => this.demo.refuse?.(id, typed, this.values) ?? null,
      take: (next) => put(next - from),
    });
  }

  /** Renders a choice of one of several options; nothing while none is known. */
  private renderChoice(
    id: string,
    field: Exclude<Field, { control: "flag" | "some" | "text" }>,
    value: Value,
    put: (next: Value) => void,
  ): TemplateResult | typeof nothing {
    const own = field.control === "choice" ? field.options : [];
    const known =
      this.fitted[id]?.options ?? own.map((one) => ({ value: one, label: nameOf(field, one) }));
    if (known.length === 0 || !field.label) return nothing;
    const names = new Map(known.map((one) => [one.value, one.label]));
    const nameAt = (option: string | number): string => names.get(option) ?? "";
    const look = field.list ? "list" : "segments";
    const choose = oneOf(look, field.label, [...names.keys()], String(value), put, nameAt);
    const control: Control = { ...(field.list ? choose : bare(choose)), id };
    return this.controls.render(control);
  }
}

function nameOf(field: Field, option: string | number): string {
  const name = "names" in field ? field.names[option] : undefined;
  return name === undefined ? String(option) : message(name);
}

/** The nearest value that the page allows. */
function fitTo(value: Value, { within = {}, options }: Fitted = {}): Value {
  if (!options || options.some((one) => one.value === value))
    return typeof value === "number" ? nearest(value, within) : value;
  const numbers = options.map((one) => one.value).filter((one) => typeof one === "number");
  if (typeof value !== "number" || numbers.length === 0) return options[0]?.value ?? value;
  const distance = (one: number): number => Math.abs(one - value);
  return numbers.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

/** A field in words, for a saved picture; a flag only while it is set. */
export function detailOf(field: Field | undefined, value: Value | undefined): string[] {
  if (!field?.label || value === undefined || value === false || field.control === "some")
    return [];
  const label = message(field.label);
  if (field.control === "flag") return [label];
  if (field.control !== "number") return [nameOf(field, String(value))];
  return [`${label} ${formatNumber(Number(value) + (field.from ?? 0), 2)}`];
}
