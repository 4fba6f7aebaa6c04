import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { State } from "../../state/index.js";
import { patch } from "../parts/events.js";

/** Whoever knows the State puts it here. */
export interface StateAsked {
  state: State | null;
}

/** The State of the page, or of the place in somebody's page, that something stands in; null where it stands in none. */
export function askState(source: EventTarget): State | null {
  const detail: StateAsked = { state: null };
  source.dispatchEvent(new CustomEvent("headscope-state", { detail, bubbles: true, composed: true }));
  return detail.state;
}

/** One setting of a laboratory as the address has it. */
export interface Setting {
  read: () => string;
  /** How that reads where no other setting speaks against it; null if it cannot be, and nothing was changed. */
  write: (text: string) => string | null;
}

/** What numbers a setting can be. */
interface Range {
  least: number;
  most: number;
  whole?: boolean;
  even?: boolean;
}

export function numberSetting({ least, most, whole = true, even = false }: Range, read: () => number, write: (value: number) => void): Setting {
  const takes = (value: number): boolean => value >= least && value <= most && (!whole || Number.isInteger(value)) && (!even || value % 2 === 0);
  return {
    read: () => String(read()),
    write: (text) => {
      const value = /^\d/.test(text) ? Number(text) : NaN;
      if (!takes(value)) return null;
      write(value);
      return String(value);
    },
  };
}

/** One of a few words or numbers. */
export function choiceSetting<Value extends string | number>(choices: readonly Value[], read: () => Value | null, write: (value: Value) => void): Setting {
  return {
    read: () => String(read() ?? ""),
    write: (text) => {
      const found = choices.find((one) => String(one) === text);
      if (found === undefined) return null;
      write(found);
      return String(found);
    },
  };
}

/** One that nobody need have chosen: without a word it is left open. */
export function openSetting(setting: Setting, leave: () => void): Setting {
  return {
    read: setting.read,
    write: (text) => {
      if (text !== "") return setting.write(text);
      leave();
      return text;
    },
  };
}

/** Any of a few words, each once, with a dot between them. */
export function setSetting<Value extends string>(choices: readonly Value[], read: () => readonly Value[], write: (values: Value[]) => void): Setting {
  return {
    read: () => choices.filter((one) => read().includes(one)).map(wordOf).join("."),
    write: (text) => {
      const words = text === "" ? [] : text.split(".");
      const found = choices.filter((one) => words.includes(wordOf(one)));
      if (found.length !== words.length) return null;
      write(found);
      return found.map(wordOf).join(".");
    },
  };
}

export function flagSetting(read: () => boolean, write: (value: boolean) => void): Setting {
  return choiceSetting(["yes", "no"], () => (read() ? "yes" : "no"), (value) => write(value === "yes"));
}

function wordOf(word: string): string {
  return word.replaceAll("-", "_");
}

/**
 * What is set in a laboratory, kept in the State: a link, a reload and an embedded explorer show the same figures. What an
 * address asks for and cannot be stays as it opens; what cannot be beside its other settings is as near as it can be; and
 * `headscope-unread` tells of both.
 */
export class LabSettings implements ReactiveController {
  /** What it opens on without a link. */
  private usual: ReadonlyMap<string, string> | null = null;
  private told = "";
  /** How the address that was followed last would read, until it was compared with what came of it. */
  private asked: ReadonlyMap<string, string | null> = new Map();

  constructor(
    private readonly host: ReactiveControllerHost & EventTarget,
    private readonly name: string,
    private readonly settings: Readonly<Record<string, Setting>>,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.usual ??= new Map(Object.entries(this.settings).map(([key, { read }]) => [key, read()]));
    // A link that is followed while the laboratory is open.
    window.addEventListener("hashchange", this.follow);
    window.addEventListener("popstate", this.follow);
    this.follow();
  }

  hostDisconnected(): void {
    window.removeEventListener("hashchange", this.follow);
    window.removeEventListener("popstate", this.follow);
  }

  hostUpdated(): void {
    this.compare();
    const now = this.text;
    if (now === this.told) return;
    this.told = now;
    const state = askState(this.host);
    const labs = state && withLab(state.labs, this.name, now);
    if (state && labs !== state.labs) patch(this.host, { labs });
  }

  private readonly follow = (): void => {
    const state = askState(this.host);
    const said = settingsOf(state?.labs ?? null, this.name);
    const text = [...said].map(([key, value]) => `${key}-${value}`).join(",");
    if (!state || text === this.told) return;
    // What stands here now must not bound what is asked for: a link shows the same wherever it is followed.
    this.write(this.usual ?? new Map());
    this.asked = this.write(said);
    this.told = text;
    this.host.requestUpdate();
  };

  /** In whatever order they stand: where one bounds another, it does so by its new value in the next round. */
  private write(values: ReadonlyMap<string, string>): Map<string, string | null> {
    let found = new Map<string, string | null>();
    for (let round = 0; round < values.size; round += 1) found = new Map([...values].map(([key, value]) => [key, this.settings[key]?.write(value) ?? null]));
    return found;
  }

  /** Only now: a laboratory may fit its settings to each other when it updates. */
  private compare(): void {
    const wrong = [...this.asked].filter(([key, value]) => value === null || value !== this.settings[key]?.read()).map(([key]) => key);
    this.asked = new Map();
    if (wrong.length > 0) this.host.dispatchEvent(new CustomEvent("headscope-unread", { detail: `labs: ${wrong.join()}`, bubbles: true, composed: true }));
  }

  /** What differs from what it opens on. */
  private get text(): string {
    return Object.entries(this.settings)
      .map(([key, { read }]) => [key, read()] as const)
      .filter(([key, value]) => value !== this.usual?.get(key))
      .map(([key, value]) => `${key}-${value}`)
      .join(",");
  }
}

/** Laboratories as an address has them, by their names. */
function labsIn(labs: string | null): Map<string, string> {
  return new Map([...(labs ?? "").matchAll(/(\w+)\(([^()]*)\)/g)].map(([, name = "", text = ""]) => [name, text]));
}

/** What an address says of one of them. */
export function settingsOf(labs: string | null, name: string): Map<string, string> {
  const text = labsIn(labs).get(name) ?? "";
  return new Map((text === "" ? [] : text.split(",")).map((setting) => [setting.split("-", 1)[0] ?? "", setting.replace(/^[^-]*-?/, "")]));
}

/** With other settings of one of them; null where all are as they open. */
export function withLab(labs: string | null, name: string, text: string): string | null {
  const all = labsIn(labs).set(name, text);
  if (text === "") all.delete(name);
  return all.size === 0 ? null : [...all].map(([key, value]) => `${key}(${value})`).join("");
}

declare global {
  interface HTMLElementEventMap {
    /** The State is asked for; the answer stands in the detail. */
    "headscope-state": CustomEvent<StateAsked>;
    /** The name of what an address says and nobody could read. */
    "headscope-unread": CustomEvent<string>;
  }
}
