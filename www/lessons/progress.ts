/**
 * What a reader did in lessons: the guess at each task and whether it was right. It stays in the
 * browser; without storage it lasts as long as the page.
 */
import { isRecord, jsonIn } from "../data/shape.js";
import { tracked } from "../signals.js";

const KEY = "headscope.lessons";

/** A marked task. */
export interface Mark {
  /** The guess as it was given: the index of a choice, or a number. */
  guess: number;
  right: boolean;
  /** The number of the run, or the index of the right choice; null where none was right. */
  found: number | null;
}

const isMark = (value: unknown): value is Mark =>
  isRecord(value) &&
  typeof value.guess === "number" &&
  typeof value.right === "boolean" &&
  (value.found === null || typeof value.found === "number");

/** The marks by the name of the lesson and the number of the step. */
export class Progress {
  @tracked private marks: Readonly<Record<string, Mark>> = stored();

  of(name: string): Mark | null {
    return this.marks[name] ?? null;
  }

  /** The number of marked tasks of a lesson. */
  count(lesson: string): number {
    return Object.keys(this.marks).filter((name) => name.startsWith(`${lesson}.`)).length;
  }

  get isEmpty(): boolean {
    return Object.keys(this.marks).length === 0;
  }

  set(name: string, mark: Mark | null): void {
    const { [name]: _, ...others } = this.marks;
    this.marks = mark ? { ...others, [name]: mark } : others;
    this.store();
  }

  /** Forgets all marks, also those in the browser. */
  clear(): void {
    this.marks = {};
    this.store();
  }

  private store(): void {
    try {
      if (this.isEmpty) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, JSON.stringify(this.marks));
    } catch {
      // Storage is full or forbidden: the marks last as long as the page.
    }
  }
}

function stored(): Record<string, Mark> {
  try {
    const marks = jsonIn(localStorage.getItem(KEY) ?? "{}");
    const known = Object.entries(isRecord(marks) ? marks : {});
    return Object.fromEntries(known.filter((entry): entry is [string, Mark] => isMark(entry[1])));
  } catch {
    return {};
  }
}

/** The progress of the page's reader. */
export const PROGRESS = new Progress();

/** The name of a task in the progress: a lesson of a user's own has a number made of its text. */
export function taskName(lesson: string, step: number): string {
  return `${lesson.startsWith("{") ? `own-${hash(lesson)}` : lesson}.${step + 1}`;
}

/** A short number of a text: equal texts have the same one. */
function hash(text: string): string {
  let sum = 0;
  for (const letter of text) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum.toString(36);
}
