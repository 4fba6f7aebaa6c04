import { DEFAULT_STATE, type State } from "./state.js";

/** How many changes can be taken back. */
const MAX_UNDO = 100;

/** Fields whose every change can be taken back. */
const UNDOABLE = ["edits", "hidden", "model"] as const satisfies readonly (keyof State)[];

/** What some fields were before a change, or after it. */
type Fields = Partial<State>;

/** Holds the State, tells who listens, and remembers what was before a change, so that it can be undone. */
export class Store {
  private current: State;
  private past: Fields[] = [];
  private future: Fields[] = [];
  private readonly listeners = new Set<(state: State, before: State) => void>();

  constructor(state: State = DEFAULT_STATE) {
    this.current = state;
  }

  get state(): State {
    return this.current;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Changes some fields. A change of the edits, the hidden tokens or the model can be undone, with all that came with it. */
  update(patch: Fields): void {
    if (UNDOABLE.some((key) => patch[key] !== undefined && patch[key] !== this.current[key])) this.step(patch);
    else this.set({ ...this.current, ...patch });
  }

  /** Changes some fields as one step that can be undone. */
  step(patch: Fields): void {
    this.past = [...this.past, this.valuesOf(patch)].slice(-MAX_UNDO);
    this.future = [];
    this.set({ ...this.current, ...patch });
  }

  /** Changes some fields because the text that they belong to changed, which is not undone here. */
  adjust(patch: Fields): void {
    this.set({ ...this.current, ...patch });
  }

  /** Starts anew from a State that somebody wrote down: what was edited before it belongs to another page. */
  replace(state: State): void {
    this.past = [];
    this.future = [];
    this.set(state);
  }

  undo(): void {
    this.swap(this.past, this.future);
  }

  redo(): void {
    this.swap(this.future, this.past);
  }

  /** Calls `listener` after every change, until the returned function is called. */
  listen(listener: (state: State, before: State) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private swap(from: Fields[], to: Fields[]): void {
    const fields = from.pop();
    if (!fields) return;
    to.push(this.valuesOf(fields));
    this.set({ ...this.current, ...fields });
  }

  /** The present values of the fields that a patch names. */
  private valuesOf(patch: Fields): Fields {
    return Object.fromEntries(Object.entries(this.current).filter(([key]) => key in patch));
  }

  private set(next: State): void {
    const before = this.current;
    this.current = next;
    for (const listener of this.listeners) listener(next, before);
  }
}
