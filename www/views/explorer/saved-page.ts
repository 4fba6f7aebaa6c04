import { save } from "../../export/save.js";
import {
  decodeFile,
  encodeFile,
  LARGEST_FILE_BYTES,
  type Decoded,
  type FileProblem,
  type State,
} from "../../state/index.js";

/** Codes of what is wrong with a file that is to be opened as a page. */
export type FileCode = `file/${FileProblem | "too-large" | "unreadable"}`;

/** Hands the page to the reader as a file that is named after its text. */
export function savePage(state: State): Promise<void> {
  const name = state.text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, 40)
    .trim();
  return save(
    new Blob([encodeFile(state)], { type: "application/json" }),
    `${name || "page"}.json`,
  );
}

/** What a saved page says, or the code of why it is none. */
export async function readPage(file: File): Promise<Decoded | FileCode> {
  if (file.size > LARGEST_FILE_BYTES) return "file/too-large";
  try {
    const read = decodeFile(await file.text());
    return typeof read === "string" ? `file/${read}` : read;
  } catch {
    return "file/unreadable"; // Moved or forbidden since it was picked.
  }
}
