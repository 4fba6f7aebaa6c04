/** Marks the guess at a task by the numbers of the present run. */
import { holds, read, type Readable } from "./checks.js";
import type { Task } from "./format.js";
import type { Mark } from "./progress.js";

/** Whether what the reader is to do first is done; null while that is not known. */
export function isActed({ act }: Task, of: Readable): boolean | null {
  return act === null ? true : holds(act.check, of);
}

/**
 * The mark of a guess; null while the run has not been read. A choice is right if its statement is
 * so, a number if it is near that of the run.
 */
export function markOf(task: Task, guess: number, of: Readable): Mark | null {
  if (!of.settled || isActed(task, of) !== true) return null;
  if (task.guess.kind === "number") {
    const found = read(task.guess.reading, of);
    if (found === null) return null;
    return { guess, found, right: Math.abs(found - guess) <= task.guess.within };
  }
  const answers = task.guess.choices.map(({ check }) => holds(check, of));
  if (answers.includes(null)) return null;
  const right = answers[guess] === true;
  const first = answers.indexOf(true);
  return { guess, right, found: right ? guess : first < 0 ? null : first };
}
