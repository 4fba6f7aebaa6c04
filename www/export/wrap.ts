// Long texts in short lines, broken where their language breaks them.

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ELLIPSIS = "…";

/** The text in lines of at most `room`; what is more than `mostLines` is left out and marked. */
export function wrapped(
  text: string,
  room: number,
  mostLines: number,
  measure: (text: string) => number,
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of piecesOf(text.replace(/\s+/g, " ").trim(), room, measure)) {
    if (line !== "" && measure(line + piece.trimEnd()) > room) {
      lines.push(line.trimEnd());
      line = piece.trimStart();
      // What follows will not be shown; a long text need not be measured to its end.
      if (lines.length > mostLines) break;
    } else line += piece;
  }
  if (line !== "") lines.push(line.trimEnd());
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), shortened(lines[mostLines - 1] ?? "", room, measure)];
}

/** Words, with what follows them up to the next; a word that is longer than a line comes character by character. */
function* piecesOf(
  text: string,
  room: number,
  measure: (text: string) => number,
): Generator<string> {
  let piece = "";
  for (const { segment, isWordLike } of words.segment(text)) {
    if (isWordLike && piece !== "" && !/[\p{P}\p{S}]$/u.test(piece)) {
      yield piece;
      piece = "";
    }
    piece += segment;
    if (measure(piece) <= room) continue;
    yield* Array.from(graphemes.segment(piece), ({ segment: character }) => character);
    piece = "";
  }
  if (piece !== "") yield piece;
}

function shortened(line: string, room: number, measure: (text: string) => number): string {
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment);
  while (characters.length > 0 && measure(characters.join("") + ELLIPSIS) > room) characters.pop();
  return characters.join("").trimEnd() + ELLIPSIS;
}
