/** One part of the short answer to a question of a learner: a name with its number or its text. */
export interface AnswerItem {
  label: string;
  value: string;
  /** The length of a bar beside the number, from 0 to 1. */
  share?: number;
  /** The numbers that it says, by their names, for a task of a lesson. */
  numbers?: Readonly<Record<string, number>>;
  /** The text with which `value` is compared: words that it lacks are marked. */
  beside?: string;
}
