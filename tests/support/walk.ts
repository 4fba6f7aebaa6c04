/**
 * A walk through a part of the page: its outline, and then for each of its controls what its use
 * changes: lines of the outline, and fields of the State.
 */
import type { LitElement } from "lit";
import { vi } from "vitest";
import type { Session } from "../../www/session/session.js";
import { outlineOf, writtenValue } from "./outline.js";

const CONTROLS = "button, summary, input, select, textarea, a[href^='#']";
/**
 * The most controls and radio buttons of one look that are used, lines that are written of a
 * change, and waits until what is shown stays.
 */
const MOST = { alike: 2, radios: 3, lines: 24, turns: 12 };

type Control =
  HTMLButtonElement | HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLElement;

const collapsed = (text: string | null): string => (text ?? "").replace(/\s+/g, " ").trim();

function* elementsOf(root: ParentNode): Generator<HTMLElement> {
  for (const one of root.querySelectorAll<HTMLElement>("*")) {
    yield one;
    if (one.shadowRoot) yield* elementsOf(one.shadowRoot);
  }
}

function nameOf(control: Control): string {
  const named =
    control.id === ""
      ? null
      : (control.getRootNode() as ParentNode).querySelector(`[for="${control.id}"]`);
  const label = named ?? control.closest("label, [part=field], fieldset, headscope-choice");
  const words =
    control.getAttribute("aria-label") ??
    control.getAttribute("title") ??
    (control.matches("button, summary, a") ? control.textContent : null) ??
    label?.textContent ??
    control.previousElementSibling?.textContent ??
    "";
  const value =
    control instanceof HTMLInputElement && control.type === "radio" ? control.value : "";
  return [
    control.tagName.toLowerCase(),
    control.getAttribute("type"),
    collapsed(words).slice(0, 60),
    value,
  ]
    .filter(Boolean)
    .join(" ");
}

function controlsOf(root: ParentNode): Control[] {
  const alike = new Map<string, number>();
  return [...elementsOf(root)].filter((one) => {
    if (!one.matches(CONTROLS) || (one as HTMLButtonElement).disabled) return false;
    const look = [
      one.tagName,
      one.className,
      one.getAttribute("type"),
      one.parentElement?.className,
    ];
    const key = look.join(" ");
    const count = (alike.get(key) ?? 0) + 1;
    alike.set(key, count);
    return count <= (one.getAttribute("type") === "radio" ? MOST.radios : MOST.alike);
  });
}

const sent = (control: Control, ...names: string[]): void => {
  for (const name of names)
    control.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
};

/** Uses a control as a hand would: a button is pressed, a field gets another value. */
function use(control: Control): void {
  if (control instanceof HTMLSelectElement) {
    const next = (control.selectedIndex + 1) % Math.max(1, control.options.length);
    control.value = control.options[next]?.value ?? "";
    sent(control, "input", "change");
  } else if (control instanceof HTMLTextAreaElement) {
    control.value = "two words";
    sent(control, "input", "change");
  } else if (control instanceof HTMLInputElement && !/checkbox|radio|button/.test(control.type)) {
    if (control.type === "file") return;
    const { min, max, step, value } = control;
    const next = Number(value) + (Number(step) || 1);
    const isNumber = control.type === "range" || control.type === "number" || value !== "";
    control.value =
      !isNumber || Number.isNaN(next)
        ? "two"
        : String(max !== "" && next > Number(max) ? Number(min) : next);
    sent(control, "input", "change");
  } else control.click();
}

function changes(before: readonly string[], after: readonly string[]): string[] {
  const count = (lines: readonly string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  };
  const less = (lines: readonly string[], than: Map<string, number>, sign: string): string[] =>
    lines.flatMap((line) => {
      const left = than.get(line) ?? 0;
      than.set(line, left - 1);
      return left > 0 ? [] : [`  ${sign} ${line.trim()}`];
    });
  const all = [...less(before, count(after), "-"), ...less(after, count(before), "+")];
  return all.length <= MOST.lines
    ? all
    : [...all.slice(0, MOST.lines), `  … ${all.length - MOST.lines} more`];
}

function stateChanges(before: object, after: object): string[] {
  return Object.entries(after).flatMap(([name, value]) => {
    const was = (before as Record<string, unknown>)[name];
    return JSON.stringify(was) === JSON.stringify(value)
      ? []
      : [`  State ${name} ${writtenValue(value)}`];
  });
}

/** The time that a walk may take: through a large part it is long on a busy machine. */
export const WALK_MILLIS = 180_000;
/** How long the longest pause lasts that a part of the page makes before it acts. */
const PAUSE_MILLIS = 500;

/**
 * Lets all happen that follows by itself while `busy`: by a clock that the test moves, so that a
 * busy machine shows what a quiet one does. The test has fake timers.
 */
export async function follow(busy: () => boolean): Promise<void> {
  do {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(PAUSE_MILLIS);
  } while (busy());
}

/** The walk through an element of a session, as lines; the controls `without` are not used. */
export async function walkOf(
  element: LitElement,
  session: Pick<Session, "state" | "store">,
  settle: () => Promise<void>,
  without: RegExp,
): Promise<string[]> {
  const root = element.renderRoot as ShadowRoot;
  const outline = (): string[] => outlineOf(root, true);
  /** What an answer shows may ask for more. */
  const settled = async (): Promise<string[]> => {
    let [before, now] = [[""], outline()];
    for (let turn = 0; turn < MOST.turns && before.join() !== now.join(); turn += 1) {
      await settle();
      await element.updateComplete;
      [before, now] = [now, outline()];
    }
    return now;
  };
  let shown = await settled();
  const lines = outlineOf(root);
  const seen = new Set<string>();
  const start = session.state;
  // What closes the part comes last: nothing else is there after it.
  const closes = (control: Control): boolean => nameOf(control).includes("close");
  const controls = controlsOf(root);
  const ordered = [...controls.filter((one) => !closes(one)), ...controls.filter(closes)];
  for (const control of ordered) {
    const name = nameOf(control);
    // A name that stands twice is used once; the control may have been rendered anew.
    if (seen.has(name) || without.test(name)) continue;
    seen.add(name);
    const own = control.isConnected
      ? control
      : controlsOf(root).find((one) => nameOf(one) === name);
    if (!own) continue;
    const { state } = session;
    const before = shown;
    use(own);
    shown = await settled();
    lines.push(`> ${name}`, ...stateChanges(state, session.state), ...changes(before, shown));
    if (session.state === start) continue;
    // The next control is used where this one was.
    session.store.replace(start);
    shown = await settled();
  }
  return lines;
}
