/** How a tokenizer writes its pieces. */
export type Spelling =
  /** `▁` for a space, as SentencePiece does. */
  | { kind: "metaspace"; replacement: string }
  /** Each byte as one printable letter, as GPT-2 does. */
  | { kind: "byte-level" }
  /** A prefix for what continues a word, as BERT does. */
  | { kind: "word-piece"; prefix: string }
  /** A suffix at the end of a word, or nothing at all. */
  | { kind: "plain"; suffix: string };

/** A piece as a person reads it: no padding characters, no invisible ones, never U+FFFD. */
export function readable(piece: string, spelling: Spelling): string {
  const byte = byteOf(piece);
  if (byte !== null) return visible(decodeBytes([byte]));
  switch (spelling.kind) {
    case "metaspace":
      return visible(withoutLeadingSpace(piece.replaceAll(spelling.replacement, " ")));
    case "byte-level":
      return visible(withoutLeadingSpace(decodeBytes(bytesOf(piece))));
    case "word-piece":
      return visible(
        piece.length > spelling.prefix.length && piece.startsWith(spelling.prefix)
          ? piece.slice(spelling.prefix.length)
          : piece,
      );
    case "plain":
      return visible(
        spelling.suffix !== "" && piece.endsWith(spelling.suffix)
          ? piece.slice(0, -spelling.suffix.length)
          : piece,
      );
  }
}

/** Names every character that would not be seen. */
export function visible(text: string): string {
  const nothingToSee = !/[^\p{C}\p{Z}\p{M}]/u.test(text);
  if (text === "" || /^ +$/.test(text)) return "␣".repeat(Math.max(1, text.length));
  // A lone combining mark sits on a dotted circle; formatting characters are named when alone or when they change the direction.
  if (nothingToSee)
    return Array.from(
      text,
      (character) =>
        NAMED[character] ?? (/\p{M}/u.test(character) ? `◌${character}` : codePoint(character)),
    ).join("");
  return text.replace(
    /[\p{Cc}\p{Cs}\uFFFD\u202A-\u202E\u2066-\u2069]/gu,
    (character) => NAMED[character] ?? codePoint(character),
  );
}

const NAMED: Readonly<Record<string, string>> = { "\n": "↵", "\r": "↵", "\t": "⇥", " ": "␣" };

function codePoint(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

function withoutLeadingSpace(text: string): string {
  return text.length > 1 && text.startsWith(" ") && text.trim() !== "" ? text.slice(1) : text;
}

/** Pieces with every run of bytes among them as what it reads as, so that a decoder finds no broken characters. */
export function withNamedBytes(pieces: readonly string[], spelling: Spelling): string[] {
  if (spelling.kind === "byte-level") return [decodeBytes(pieces.flatMap(bytesOf))];
  const read: string[] = [];
  let bytes: number[] = [];
  for (const piece of [...pieces, ""]) {
    const byte = byteOf(piece);
    if (byte === null) read.push(decodeBytes(bytes), piece);
    bytes = byte === null ? [] : [...bytes, byte];
  }
  return read.filter((piece) => piece !== "");
}

/** The byte that a piece such as `<0xE2>` stands for. */
function byteOf(piece: string): number | null {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
  return byte === undefined ? null : Number.parseInt(byte, 16);
}

/** UTF-8 where it is complete; a byte that belongs to a character cut in two is shown as `⟨E2⟩`. */
export function decodeBytes(bytes: number[]): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    if (length > 0) {
      text += new TextDecoder("utf-8", { ignoreBOM: true }).decode(
        Uint8Array.from(bytes.slice(at, at + length)),
      );
      at += length;
    } else {
      text += `⟨${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0")}⟩`;
      at += 1;
    }
  }
  return text;
}

/** How many bytes the character that starts here has; 0 if none is complete. */
function characterAt(bytes: number[], at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80
      ? 1
      : first >= 0xc2 && first < 0xe0
        ? 2
        : first >= 0xe0 && first < 0xf0
          ? 3
          : first >= 0xf0 && first < 0xf5
            ? 4
            : 0;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes.slice(at, at + length)));
    return length;
  } catch {
    return 0;
  }
}

/** GPT-2's letters for bytes: printable Latin-1 stands for itself, the rest is moved to 256 and up. */
const BYTE_OF_LETTER: ReadonlyMap<string, number> = (() => {
  const letters = new Map<string, number>();
  let moved = 256;
  for (let byte = 0; byte < 256; byte += 1) {
    const itself = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    letters.set(String.fromCharCode(itself ? byte : moved++), byte);
  }
  return letters;
})();

function bytesOf(piece: string): number[] {
  // A letter outside the alphabet comes from an added token, which is spelled in plain text.
  return Array.from(piece).flatMap(
    (letter) => BYTE_OF_LETTER.get(letter) ?? Array.from(new TextEncoder().encode(letter)),
  );
}
