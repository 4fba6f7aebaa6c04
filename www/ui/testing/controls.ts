import type { LitElement } from "lit";
import type { HeadscopeChoice } from "../choice.js";

/** The text of an element in one line. */
export function words(element: Node | null | undefined): string {
  return (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

/** The options of every choice in a panel, by its label, the selected one in brackets. */
export function choices({ renderRoot }: LitElement): Record<string, string> {
  const offered = [...renderRoot.querySelectorAll<HeadscopeChoice>("headscope-choice")].map(
    ({ label, value, choices: all }) =>
      [
        label,
        all.map((one) => (one.value === value ? `[${one.label}]` : one.label)).join(" "),
      ] as const,
  );
  return Object.fromEntries(offered);
}

/** Selects an option of a choice by a click. */
export function choose({ renderRoot }: LitElement, label: string, value: string): void {
  const choice = [...renderRoot.querySelectorAll<HeadscopeChoice>("headscope-choice")].find(
    (one) => one.label === label,
  );
  const radio = [...(choice?.renderRoot.querySelectorAll("input") ?? [])].find(
    (one) => one.value === value,
  );
  if (!radio) throw new Error(`nothing offers ${value} as ${label}`);
  radio.click();
}

/** Selects an option of the list with this label. */
export function pick(
  { renderRoot }: LitElement,
  label: string,
  option: (text: string) => boolean,
): void {
  const list = renderRoot.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`);
  const found = [...(list?.options ?? [])].find(({ text }) => option(text.trim()));
  if (!list || !found) throw new Error(`${label} does not offer it`);
  list.value = found.value;
  list.dispatchEvent(new Event("change"));
}

export function button({ renderRoot }: LitElement, name: string): HTMLButtonElement {
  const found = [...renderRoot.querySelectorAll("button")].find((one) => words(one) === name);
  if (!found) throw new Error(`there is no button “${name}”`);
  return found;
}
