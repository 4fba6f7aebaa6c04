/**
 * The runs of letters that a user typed into a text field: each is one step of undo, as in a plain
 * text field. Chromium ends its own step whenever any node leaves the page, which a page that
 * answers to every letter causes with most of them.
 */

interface Run {
  /** The kind of input, such as `insertText`: another kind begins another run. */
  kind: string;
  start: string;
  end: string;
}

/** The runs that can be undone and those that can be done again. */
export class TypedRuns {
  private done: Run[] = [];
  private undone: Run[] = [];
  private open = false;

  /** Records a change from one text to another; one that continues the last run belongs to it. */
  typed(kind: string, before: string, after: string): void {
    const last = this.done.at(-1);
    this.undone = [];
    if (this.open && last?.kind === kind && last.end === before) last.end = after;
    else this.done.push({ kind, start: before, end: after });
    this.open = kind === "insertText" || kind.startsWith("deleteContent");
  }

  /** Ends the last run: the caret was moved, or the field was left. */
  close(): void {
    this.open = false;
  }

  /** The text before the last run, which is taken back; null without one. */
  undo(): string | null {
    this.open = false;
    const run = this.done.pop();
    if (run) this.undone.push(run);
    return run?.start ?? null;
  }

  /** The text after the run that is done again; null without one. */
  redo(): string | null {
    const run = this.undone.pop();
    if (run) this.done.push(run);
    return run?.end ?? null;
  }

  /** Forgets all runs: the text was replaced. */
  clear(): void {
    this.done = [];
    this.undone = [];
    this.open = false;
  }
}
