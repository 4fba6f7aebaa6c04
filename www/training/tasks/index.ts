/** All tasks by name. */
import { ADDITION } from "./addition.js";
import { BRACKETS } from "./brackets.js";
import { INDUCTION } from "./induction.js";
import { MODULAR } from "./modular.js";
import { CHARACTERS, PIECES } from "./own-text.js";
import { COPY, REVERSE, SORT } from "./rewriting.js";
import type { TaskKind } from "./task.js";
import { TRANSLATION } from "./translation.js";

export const TASKS = {
  copy: COPY,
  reverse: REVERSE,
  sort: SORT,
  addition: ADDITION,
  modular: MODULAR,
  brackets: BRACKETS,
  induction: INDUCTION,
  translation: TRANSLATION,
  characters: CHARACTERS,
  pieces: PIECES,
} as const satisfies Readonly<Record<string, TaskKind>>;

/** The name of a task. */
export type TaskName = keyof typeof TASKS;

export { KINDS } from "./task.js";
export type { Cut, Exercise, Kind, Split, Task, TaskKind } from "./task.js";
