/** All tasks by name. */
import { COPY } from "./copy.js";
import { INDUCTION } from "./induction.js";
import type { TaskKind } from "./task.js";

export const TASKS = {
  copy: COPY,
  induction: INDUCTION,
} as const satisfies Readonly<Record<string, TaskKind>>;

/** The name of a task. */
export type TaskName = keyof typeof TASKS;

export { KINDS } from "./task.js";
export type { Exercise, Kind, Split, Task, TaskKind } from "./task.js";
