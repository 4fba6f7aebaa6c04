import { batch, tracked, untracked } from "../signals.js";
import { EDIT_LISTS, type EditLists } from "./edits.js";
import { DEFAULT_STATE, type State } from "./state.js";

/** How many changes can be taken back. */
const MAX_UNDO = 100;

/** Typing that goes on within this time is one step. */
const PAUSE_MILLIS = 1000;

/**
 * Fields whose changes can be taken back, the most telling first; which head and which picture one looks at are not
 * among them, except with a step of the tour.
 */
const UNDOABLE = [
  "tour",
  "model",
  "text",
  "target",
  "edits",
  "hidden",
  "compare",
  "otherModel",
  "otherText",
  "aligned",
  "pairs",
  "numbers",
] as const satisfies readonly (keyof State)[];

/** What a step changed, as far as it has a name: edits by their list where only one list changed. */
export type StepKind =
  | Exclude<(typeof UNDOABLE)[number], "edits">
  | keyof EditLists
  | "edits"
  | "labs"
  | "view";

type Fields = Partial<State>;

interface Step {
  kind: StepKind;
  fields: Fields;
  /** When it was last typed at; null when it was not typed. */
  typedAt: number | null;
}

/** Holds the State, notifies listeners, and remembers changes, so that they can be undone. */
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

  /** What the next undo reverts; null when there is nothing. */
  get undoes(): StepKind | null {
    return this.past.at(-1)?.kind ?? null;
  }

  /** What the next redo applies again; null when there is nothing. */
  get redoes(): StepKind | null {
    return this.future.at(-1)?.kind ?? null;
  }

  /**
   * Changes some fields. What a person makes (the model, the texts, edits, hidden tokens) and a step of the tour can
   * be undone, with all that came with it; typing is undone from pause to pause.
   */
  update(patch: Fields): void {
    const kind = kindOf(this.current, patch);
    if (kind === "view") this.become(this.changed(patch));
    else if (isTyped(kind, patch)) this.type(kind, patch);
    else this.step(patch);
  }

  /** Changes some fields as one step that can be undone, whatever they are. */
  step(patch: Fields): void {
    this.push({ kind: kindOf(this.current, patch), fields: this.valuesOf(patch), typedAt: null });
    this.become(this.changed(patch));
  }

  /**
   * Sets a value in a demo; `goesOn` says that a slider only moves further. Undo opens the bench where it was set, so that the user sees
   * the change.
   */
  set(labs: string | null, goesOn: boolean): void {
    if (goesOn && this.undoes === "labs") this.future = [];
    else this.push({ kind: "labs", fields: this.valuesOf({ labs, bench: null }), typedAt: null });
    this.become({ ...this.current, labs });
  }

  private type(kind: StepKind, patch: Fields): void {
    const typedAt = this.now();
    const last = this.past.at(-1);
    if (last?.kind === kind && last.typedAt !== null && typedAt - last.typedAt < PAUSE_MILLIS) {
      const fields = { ...this.valuesOf(patch), ...last.fields };
      this.past = [...this.past.slice(0, -1), { kind, fields, typedAt }];
      this.future = [];
    } else {
      this.push({ kind, fields: this.valuesOf(patch), typedAt });
    }
    this.become(this.changed(patch));
  }

  /** With a patch. A region counts rows and columns, so it does not outlive those that it was taken of. */
  private changed(patch: Fields): State {
    const next = { ...this.current, ...patch };
    return patch.region === undefined && countsOthers(next, this.current)
      ? { ...next, region: null }
      : next;
  }

  private push(step: Step): void {
    this.past = [...this.past, step].slice(-MAX_UNDO);
    this.future = [];
  }

  /** Starts anew from a State that somebody wrote down: what was edited before it belongs to another page. */
  replace(state: State): void {
    this.past = [];
    this.future = [];
    this.become(state);
  }

  undo(): void {
    const [past, step] = [this.past.slice(0, -1), this.past.at(-1)];
    if (!step) return;
    this.future = [...this.future, this.back(step)];
    this.past = past;
    this.become({ ...this.current, ...step.fields });
  }

  redo(): void {
    const [future, step] = [this.future.slice(0, -1), this.future.at(-1)];
    if (!step) return;
    this.past = [...this.past, this.back(step)];
    this.future = future;
    this.become({ ...this.current, ...step.fields });
  }

  /** Calls `listener` after every change, until the returned function is called. */
  listen(listener: (state: State, before: State) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** The step that takes a step back. */
  private back({ kind, fields }: Step): Step {
    return { kind, fields: this.valuesOf(fields), typedAt: null };
  }

  /** The present values of the fields that a patch names. The backend is no edit: undo does not bring a lost GPU back. */
  private valuesOf(patch: Fields): Fields {
    return Object.fromEntries(
      Object.entries(this.current).filter(([key]) => key in patch && key !== "backend"),
    );
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
    UNDOABLE.find((key) => patch[key] !== undefined && patch[key] !== current[key]) ?? "view";
  if (changed !== "edits" || !patch.edits) return changed;
  const { edits } = patch;
  const [list, ...others] = EDIT_LISTS.filter((one) => edits[one] !== current.edits[one]);
  return list !== undefined && others.length === 0 ? list : "edits";
}

/** Whether a change comes from a text field; giving the translation back to the model does not. */
function isTyped(kind: StepKind, patch: Fields): boolean {
  return kind === "text" || (kind === "target" && patch.target !== null) || kind === "otherText";
}

/** Whether the rows and columns of pictures are others than before. Only weights and a heatmap or lines are shown by word. */
function countsOthers(now: State, before: State): boolean {
  const fields = ["model", "stack", "specials", "unit", "compare"] as const;
  const ofWords = now.unit === "word" ? (["stage", "picture"] as const) : [];
  return [...fields, ...ofWords].some((field) => now[field] !== before[field]);
}
