import { equals } from "../data/equal.js";
import { batch, tracked, untracked } from "../signals.js";
import { EDIT_LISTS, type EditLists } from "./edits.js";
import { DEFAULT_STATE, type State } from "./state.js";

const MAX_UNDO = 100;

/** The time within which further typing, or moving a slider, is one step. */
const PAUSE_MILLIS = 1000;

/**
 * The fields whose changes can be undone, the most telling first; the choice of head and picture is
 * not among them, except with a step of the tour.
 */
const UNDOABLE = [
  "tour",
  "lesson",
  "model",
  "text",
  "chat",
  "target",
  "sampling",
  "edits",
  "masked",
  "compare",
  "otherModel",
  "otherText",
  "otherHead",
  "aligned",
  "pairs",
  "numbers",
] as const satisfies readonly (keyof State)[];

/** The name of what a step changed: for edits, their list if only one changed. */
export type StepKind = (typeof UNDOABLE)[number] | keyof EditLists | "demos" | "view";

type Fields = Partial<State>;

interface Step {
  kind: StepKind;
  fields: Fields;
  /** The time of the last keystroke or move of a slider; null for any other step. */
  typedAt: number | null;
}

/** Holds the State, notifies listeners, and keeps changes for undo. */
export class Store {
  @tracked private current: State;
  @tracked private past: readonly Step[] = [];
  @tracked private future: readonly Step[] = [];
  private readonly listeners = new Set<(state: State, before: State) => void>();

  constructor(
    state: State = DEFAULT_STATE,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.current = state;
  }

  get state(): State {
    return this.current;
  }

  get undoes(): StepKind | null {
    return this.past.at(-1)?.kind ?? null;
  }

  get redoes(): StepKind | null {
    return this.future.at(-1)?.kind ?? null;
  }

  /**
   * Changes some fields. Changes of the model, the texts, edits or masked tokens and a step of the
   * tour can be undone, with all fields changed at the same time; typing is undone from pause to
   * pause.
   */
  update(patch: Fields): void {
    const kind = kindOf(this.current, patch);
    if (kind !== "view") this.push(kind, patch, isTyped(kind, patch) ? this.now() : null);
    this.become(this.changed(patch));
  }

  /**
   * Changes some fields while a slider moves: its changes from pause to pause are one step, and
   * those while the pointer is down, which `held` says of all but the first.
   */
  slide(patch: Fields, held: boolean): void {
    this.push(kindOf(this.current, patch), patch, this.now(), held);
    this.become(this.changed(patch));
  }

  /** Changes some fields further within the last step, as a stroke of the pointer does. */
  amend(patch: Fields): void {
    this.future = [];
    this.become(this.changed(patch));
  }

  /** Changes any fields as one step that can be undone. */
  step(patch: Fields): void {
    this.push(kindOf(this.current, patch), patch);
    this.become(this.changed(patch));
  }

  /**
   * Sets a value in a demo; `goesOn` says that a slider only moves further. Undo opens the
   * experiments where the value was set, so that the user sees the change.
   */
  set(demos: string | null, goesOn: boolean): void {
    if (goesOn && this.undoes === "demos") this.future = [];
    else this.push("demos", { demos, experiment: null });
    this.become({ ...this.current, demos });
  }

  /** Starts again from a given State, without undo: earlier edits belong to another page. */
  replace(state: State): void {
    this.past = [];
    this.future = [];
    this.become(state);
  }

  undo(): void {
    this.takeBack("past", "future");
  }

  redo(): void {
    this.takeBack("future", "past");
  }

  /** Undoes the last step of one list, and adds the reverse step to the other list. */
  private takeBack(from: "past" | "future", to: "past" | "future"): void {
    const step = this[from].at(-1);
    if (!step) return;
    this[from] = this[from].slice(0, -1);
    this[to] = [...this[to], { ...step, fields: this.valuesOf(step.fields), typedAt: null }];
    this.become({ ...this.current, ...step.fields });
  }

  /** Calls `listener` after every change, until the returned function is called. */
  listen(listener: (state: State, before: State) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Adds a step for a patch; further typing belongs to the step before it. */
  private push(kind: StepKind, patch: Fields, typedAt: number | null = null, held = false): void {
    const last = this.past.at(-1);
    const pause = (typedAt ?? Infinity) - (last?.typedAt ?? -Infinity);
    const joined = last?.kind === kind && pause < (held ? Infinity : PAUSE_MILLIS);
    const fields = { ...this.valuesOf(patch), ...(joined && last.fields) };
    const earlier = joined ? this.past.slice(0, -1) : this.past;
    this.past = [...earlier, { kind, fields, typedAt }].slice(-MAX_UNDO);
    this.future = [];
  }

  /**
   * The present values of the fields of a patch. The backend is no edit: undo does not restore a
   * lost GPU.
   */
  private valuesOf(patch: Fields): Fields {
    return Object.fromEntries(
      Object.entries(this.current).filter(([key]) => key in patch && key !== "backend"),
    );
  }

  /** The State after a patch. The region is dropped if its rows and columns no longer exist. */
  private changed(patch: Fields): State {
    const next = { ...this.current, ...patch };
    const isOther = patch.region === undefined && countsOthers(next, this.current);
    return isOther ? { ...next, region: null } : next;
  }

  private become(next: State): void {
    const before = untracked(() => this.current);
    batch(() => {
      this.current = next;
      for (const listener of this.listeners) listener(next, before);
    });
  }
}

function kindOf(current: State, patch: Fields): StepKind {
  const changed =
    UNDOABLE.find((key) => patch[key] !== undefined && !equals(patch[key], current[key])) ?? "view";
  const lists =
    changed === "edits"
      ? EDIT_LISTS.filter((one) => patch.edits?.[one] !== current.edits[one])
      : [];
  return lists.length === 1 ? (lists[0] ?? changed) : changed;
}

/** Whether a change comes from a text field; giving the translation back to the model does not. */
function isTyped(kind: StepKind, patch: Fields): boolean {
  return kind === "text" || (kind === "target" && patch.target !== null) || kind === "otherText";
}

/**
 * Whether the rows and columns of pictures differ from before. Only weights and a heatmap or lines
 * are shown by word.
 */
function countsOthers(now: State, before: State): boolean {
  const fields = ["model", "stack", "specials", "unit", "compare"] as const;
  const ofWords = now.unit === "word" ? (["stage", "picture"] as const) : [];
  return [...fields, ...ofWords].some((field) => now[field] !== before[field]);
}
