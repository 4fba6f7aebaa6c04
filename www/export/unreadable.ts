/** Why numbers could not be read out of a file; a sentence for each is the page's to have. */
export type UnreadableReason =
  | "tooLarge"
  | "empty"
  | "notNumpy"
  | "numberType"
  | "axes"
  | "truncated"
  | "ragged"
  | "notANumber"
  | "ambiguous"
  | "archive";

/** A file, or a clipboard, whose numbers cannot be used. */
export class Unreadable extends Error {
  constructor(
    readonly reason: UnreadableReason,
    /** What was found, short. */
    readonly found: string,
  ) {
    super(`${reason}: ${found}`);
    this.name = "Unreadable";
  }
}

/** A matrix out of a file, with the names of its rows where it has some. */
export interface ReadMatrix {
  rows: number[][];
  labels: string[] | null;
}
