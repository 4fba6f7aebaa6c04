import type { LitElement } from "lit";

type DetailOf<Name extends keyof HTMLElementEventMap> =
  HTMLElementEventMap[Name] extends CustomEvent<infer Detail> ? Detail : never;

/** Collects what a part of the page asks for under `name`. */
export function asked<Name extends keyof HTMLElementEventMap>(
  element: HTMLElement,
  name: Name,
): DetailOf<Name>[] {
  const details: DetailOf<Name>[] = [];
  element.addEventListener(name, (event) => {
    if (event instanceof CustomEvent) details.push(event.detail as DetailOf<Name>);
  });
  return details;
}

/** What an element says, as one line. */
export function words(element: Node | null | undefined): string {
  return (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

/** What every choice in a part offers, by its name, the chosen one in brackets. */
export function choices({ renderRoot }: LitElement): Record<string, string> {
  const offered = [...renderRoot.querySelectorAll("headscope-choice")].map(
    ({ label, value, choices: all }) =>
      [
        label,
        all.map((one) => (one.value === value ? `[${one.label}]` : one.label)).join(" "),
      ] as const,
  );
  return Object.fromEntries(offered);
}

/** Chooses as a click does. */
export function choose({ renderRoot }: LitElement, label: string, value: string): void {
  const choice = [...renderRoot.querySelectorAll("headscope-choice")].find(
    (one) => one.label === label,
  );
  const radio = [...(choice?.renderRoot.querySelectorAll("input") ?? [])].find(
    (one) => one.value === value,
  );
  if (!radio) throw new Error(`nothing offers ${value} as ${label}`);
  radio.click();
}

/** Chooses an option of the list with this name. */
export function pick(
  { renderRoot }: LitElement,
  label: string,
  option: (text: string) => boolean,
): void {
  const list = renderRoot.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`);
  const found = [...(list?.options ?? [])].find(({ text }) => option(text));
  if (!list || !found) throw new Error(`${label} does not offer it`);
  list.value = found.value;
  list.dispatchEvent(new Event("change"));
}

export function button({ renderRoot }: LitElement, name: string): HTMLButtonElement {
  const found = [...renderRoot.querySelectorAll("button")].find((one) => words(one) === name);
  if (!found) throw new Error(`there is no button “${name}”`);
  return found;
}
