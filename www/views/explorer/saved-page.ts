import { save } from "../../export/save.js";
import type { MessageKey } from "../../i18n/index.js";
import { decodeFile, encodeFile, LARGEST_FILE_BYTES, type Decoded, type State } from "../../state/index.js";

const PROBLEMS = { "not-json": "file.notJson", "not-a-state": "file.notAPage" } as const satisfies Record<string, MessageKey>;

/** Hands the page to the reader as a file that is named after its text. */
export function savePage(state: State): Promise<void> {
  const name = state.text.replace(/[^\p{L}\p{N}]+/gu, " ").trim().slice(0, 40).trim();
  return save(new Blob([encodeFile(state)], { type: "application/json" }), `${name || "page"}.json`);
}

/** What a saved page says, or a sentence about why it is none. */
export async function readPage(file: File): Promise<Decoded | MessageKey> {
  if (file.size > LARGEST_FILE_BYTES) return "file.tooLarge";
  try {
    const read = decodeFile(await file.text());
    return typeof read === "string" ? PROBLEMS[read] : read;
  } catch {
    return "file.unreadable"; // Moved or forbidden since it was picked.
  }
}
