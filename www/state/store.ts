import { DEFAULT_STATE, type EditLists, type State } from "./state.js";

/** How many changes of the edits can be taken back. */
const MAX_UNDO = 100;

/** Holds the State, tells who listens, and remembers earlier edits so that each can be undone. */
export class Store {
  private current: State;
  private past: EditLists[] = [];
  private future: EditLists[] = [];
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

  /** Changes some fields. A change of the edits can be undone. */
  update(patch: Partial<State>): void {
    if (patch.edits && patch.edits !== this.current.edits) {
      this.past = [...this.past, this.current.edits].slice(-MAX_UNDO);
      this.future = [];
    }
    this.set({ ...this.current, ...patch });
  }

  /** Starts anew from a State that somebody wrote down: what was edited before it belongs to another page. */
  replace(state: State): void {
    this.past = [];
    this.future = [];
    this.set(state);
  }

  undo(): void {
    const edits = this.past.pop();
    if (!edits) return;
    this.future.push(this.current.edits);
    this.set({ ...this.current, edits });
  }

  redo(): void {
    const edits = this.future.pop();
    if (!edits) return;
    this.past.push(this.current.edits);
    this.set({ ...this.current, edits });
  }

  /** Calls `listener` after every change, until the returned function is called. */
  listen(listener: (state: State, before: State) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private set(next: State): void {
    const before = this.current;
    this.current = next;
    for (const listener of this.listeners) listener(next, before);
  }
}
