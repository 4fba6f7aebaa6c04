import type { LitElement } from "lit";
import { HeadscopeChoice } from "../../ui/choice.js";
import type { HeadscopeRule } from "../../kit/form.js";

/** The forms of a part of the experiments, whose controls are found by their labels. */
export class RuleForms {
  constructor(readonly element: LitElement) {}

  /** The control whose label starts with the given text. */
  find(label: string): HTMLElement {
    const all = this.all("select, input, button, headscope-choice");
    const found =
      all.find((one) => nameOf(one) === label) ?? all.find((one) => nameOf(one).startsWith(label));
    if (!found) throw new Error(`no control “${label}”`);
    return found;
  }

  /** Sets a control to a value; null presses it. */
  async set(label: string, value: string | null): Promise<void> {
    const control = this.find(label);
    if (value === null) control.click();
    else if (control instanceof HeadscopeChoice)
      control.dispatchEvent(new CustomEvent("headscope-choose", { detail: value }));
    else {
      const isSlider = control instanceof HTMLInputElement && control.type === "range";
      Object.assign(control, { value }).dispatchEvent(new Event(isSlider ? "input" : "change"));
    }
    await this.settled();
  }

  /** The elements in the forms that a selector finds. */
  all(selector: string): HTMLElement[] {
    return this.rules.flatMap(({ renderRoot }) => [
      ...renderRoot.querySelectorAll<HTMLElement>(selector),
    ]);
  }

  /** The options of a list that cannot be chosen. */
  disabled(label: string): string[] {
    const options = [...this.find(label).querySelectorAll("option")];
    return options.filter((option) => option.disabled).map(({ value }) => value);
  }

  async settled(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    await this.element.updateComplete;
    for (const rule of this.rules) await rule.updateComplete;
  }

  private get rules(): HeadscopeRule[] {
    return [...this.element.renderRoot.querySelectorAll<HeadscopeRule>("headscope-rule")];
  }
}

/** The accessible name of a control. */
function nameOf(control: HTMLElement): string {
  const own =
    control instanceof HeadscopeChoice ? control.label : control.getAttribute("aria-label");
  return (own ?? control.closest("label")?.textContent ?? control.textContent).trim();
}
