import { decodeFields, encodeFields, type Decoded } from "./hash.js";
import { STATE_VERSION, type State } from "./state.js";

/** No State that a person makes is as large; reading more would only hold the page up. */
export const LARGEST_FILE_BYTES = 4_000_000;

/** Why a file is none. */
export type FileProblem = "not-json" | "not-a-page";

/** A State as the text of a file: JSON, each field as an address writes it. */
export function encodeFile(state: State): string {
  return `${JSON.stringify({ headscope: STATE_VERSION, state: Object.fromEntries(encodeFields(state)) }, null, 2)}\n`;
}

/** Reads such a text. Fields that are unknown or broken keep their default and are named, as in an address. */
export function decodeFile(text: string): Decoded | FileProblem {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return "not-json";
  }
  if (!isRecord(content) || typeof content.headscope !== "number" || !isRecord(content.state))
    return "not-a-page";
  const fields = Object.entries(content.state).map(
    ([name, value]): [string, string | undefined] => [
      name,
      typeof value === "string" ? value : undefined,
    ],
  );
  return { ...decodeFields(fields), newer: content.headscope > STATE_VERSION };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
