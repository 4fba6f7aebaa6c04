/** A text file of one's own: its text, or why it cannot be trained on. */
import { refuse } from "../engine/errors.js";

const MEGABYTE = 1_000_000;

/** The most bytes of a text file. */
const LARGEST = 8 * MEGABYTE;

/**
 * The text of a file, with the line ends of Unix.
 * @throws training/text-too-large for more than 8 MB, before anything is read;
 *   training/text-encoding for a file that is not UTF-8, or no text
 */
export async function readTextFile(file: Blob): Promise<string> {
  if (file.size > LARGEST) {
    const expected = `a text of at most ${LARGEST / MEGABYTE} MB: save a part of it`;
    const got = `${Math.ceil(file.size / MEGABYTE)} MB`;
    throw refuse("training/text-too-large", "the text file", expected, got);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const refused = (got: string) => {
    const expected = "a text in UTF-8: save it again in this encoding";
    return refuse("training/text-encoding", "the text file", expected, got);
  };
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw refused("UTF-16");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused("another encoding");
  }
  if (text.includes("\0")) throw refused("a file that is no text");
  return text.replaceAll(/\r\n?/g, "\n");
}
