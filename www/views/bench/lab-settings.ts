import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { State } from "../../state/index.js";
import { patch, setLab } from "../parts/events.js";
import { entriesOf, settingsOf, textOf, withLab, wrongSettings } from "./lab-link.js";
import type { Kind } from "./lab-values.js";

/** Whoever knows the State puts it here. */
export interface StateAsked {
  state: State | null;
  /** Calls after every change of it, until the returned function is called. */
  listen?: (listener: () => void) => () => void;
}

/** Numbers that are changed again within this time by the keys are one step, as in typing. */
const PAUSE_MILLIS = 1000;

/** What says where one is on the bench, and changes nothing there. */
const PLACES: readonly string[] = ["masks", "places", "heads"];

/** The State of the page, or of the place in somebody's page, that something stands in; null where it stands in none. */
export function askState(source: EventTarget): State | null {
  return ask(source).state;
}

function ask(source: EventTarget): StateAsked {
  const detail: StateAsked = { state: null };
  source.dispatchEvent(
    new CustomEvent("headscope-state", { detail, bubbles: true, composed: true }),
  );
  return detail;
}

/** The fields of a demo, and what they are now. */
export interface Fields {
  kinds: Readonly<Record<string, Kind>>;
  read: (key: string) => unknown;
  /** Nothing but what the field's kind decodes. */
  put: (key: string, value: never) => void;
}

/**
 * What is set in a laboratory, kept in the State: a link, a reload and an embedded explorer show the same figures, and a
 * finished move of a slider can be taken back. What an
 * address asks for and cannot be stays as it opens; what cannot be beside its other settings is as near as it can be; and
 * `headscope-unread` tells of both.
 */
export class LabSettings implements ReactiveController {
  /** By their names, among which a link may ask for what every object of the language has. */
  private readonly kinds: ReadonlyMap<string, Kind>;
  /** What it opens on without a link. */
  private usual: ReadonlyMap<string, string> | null = null;
  private told = "";
  /** How the address that was followed last would read, until it was compared with what came of it. */
  private asked: ReadonlyMap<string, string | null> = new Map();
  private leave: () => void = () => undefined;
  /** What was changed last, and when; where a pointer was pressed, by which press. */
  private move: { keys: string; press: number | null; at: number } | null = null;
  private presses = 0;
  private pressed = false;

  constructor(
    private readonly host: ReactiveControllerHost & EventTarget,
    private readonly name: string,
    private readonly fields: Fields,
    /** Whether what bounds them is known: a model or a text that a link names may still be on its way. */
    private readonly ready: () => boolean = () => true,
  ) {
    this.kinds = new Map(Object.entries(fields.kinds));
    host.addController(this);
  }

  /** Whether a link was followed and what it asks for can be fitted to what there is. */
  get arriving(): boolean {
    return this.asked.size > 0 && this.ready();
  }

  hostConnected(): void {
    this.usual ??= new Map(this.now);
    this.host.addEventListener("pointerdown", this.press);
    window.addEventListener("pointerup", this.lift);
    window.addEventListener("pointercancel", this.lift);
    // A list that a press opened swallows its end.
    window.addEventListener("keydown", this.lift);
    // A link that is followed while the laboratory is open, and what is taken back.
    this.leave = ask(this.host).listen?.(this.follow) ?? this.leave;
    this.follow();
  }

  hostDisconnected(): void {
    this.host.removeEventListener("pointerdown", this.press);
    window.removeEventListener("pointerup", this.lift);
    window.removeEventListener("pointercancel", this.lift);
    window.removeEventListener("keydown", this.lift);
    this.leave();
  }

  hostUpdated(): void {
    const followed = this.asked.size > 0;
    if (followed && !this.arriving) return;
    this.compare();
    const now = this.text;
    if (now === this.told) return;
    const keys = changedKeys(this.told, now);
    this.told = now;
    const state = askState(this.host);
    const labs = state && withLab(state.labs, this.name, now);
    if (!state || labs === state.labs) return;
    // What a link asked for and could not be is nobody's change.
    if (followed || PLACES.includes(this.name)) patch(this.host, { labs });
    else setLab(this.host, { labs, goesOn: this.goesOn(keys) });
  }

  /** Whether a slider only moves further: it may rest under the pointer for as long as one likes, and take other settings with it. */
  private goesOn(keys: string): boolean {
    const at = performance.now();
    const press = this.pressed ? this.presses : null;
    const { move } = this;
    this.move = { keys, press, at };
    if (move?.press !== press) return false;
    return press !== null || (move.keys === keys && at - move.at < PAUSE_MILLIS);
  }

  private readonly press = (): void => {
    this.presses += 1;
    this.pressed = true;
  };

  private readonly lift = (): void => {
    this.pressed = false;
  };

  private readonly follow = (): void => {
    const state = askState(this.host);
    const said = settingsOf(state?.labs ?? null, this.name);
    const text = textOf(said);
    if (!state || text === this.told) return;
    this.move = null;
    // What stands here now must not bound what is asked for: a link shows the same wherever it is followed.
    this.write(this.usual ?? new Map());
    this.asked = this.write(said);
    this.told = text;
    this.host.requestUpdate();
  };

  /** In whatever order they stand: where one bounds another, it does so by its new value in the next round. */
  private write(values: ReadonlyMap<string, string>): Map<string, string | null> {
    let found = new Map<string, string | null>();
    for (let round = 0; round < values.size; round += 1)
      found = new Map([...values].map(([key, text]) => [key, this.put(key, text)]));
    return found;
  }

  /** How a text reads where no other setting speaks against it; null if it cannot be, and nothing was changed. */
  private put(key: string, text: string): string | null {
    const kind = this.kinds.get(key);
    const value = kind?.decode(text);
    if (!kind || value === undefined) return null;
    this.fields.put(key, value as never);
    return kind.encode(value as never);
  }

  private get now(): (readonly [string, string])[] {
    // A field has a value of its own kind.
    return [...this.kinds].map(([key, { encode }]) => [
      key,
      encode(this.fields.read(key) as never),
    ]);
  }

  /** Only now: a laboratory may fit its settings to each other when it updates. */
  private compare(): void {
    const now = new Map(this.now);
    const wrong = [...this.asked]
      .filter(([key, value]) => value === null || value !== now.get(key))
      .map(([key]) => key);
    this.asked = new Map();
    if (wrong.length > 0)
      this.host.dispatchEvent(
        new CustomEvent("headscope-unread", {
          detail: wrongSettings(wrong),
          bubbles: true,
          composed: true,
        }),
      );
  }

  /** What differs from what it opens on. */
  private get text(): string {
    return textOf(this.now.filter(([key, value]) => value !== this.usual?.get(key)));
  }
}

/** Which settings another text says otherwise. */
function changedKeys(before: string, now: string): string {
  const [one, other] = [before, now].map(entriesOf);
  return [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])]
    .filter((key) => one?.get(key) !== other?.get(key))
    .sort()
    .join();
}

declare global {
  interface HTMLElementEventMap {
    /** The State is asked for; the answer stands in the detail. */
    "headscope-state": CustomEvent<StateAsked>;
    /** The name of what an address says and nobody could read. */
    "headscope-unread": CustomEvent<string>;
  }
}
