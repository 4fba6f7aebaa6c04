/** The spelling of a tokenizer's pieces; a mark that the tokenizer does not have is empty. */
export interface Spelling {
  /** Whether each byte is one printable letter, as in GPT-2. */
  bytes: boolean;
  /** The mark of a space, such as `▁` in SentencePiece. */
  space: string;
  /** The prefix of a piece that continues a word, such as `##` in BERT. */
  prefix: string;
  /** The suffix of the last piece of a word. */
  suffix: string;
}

/** A piece as readable text: no padding characters, no invisible ones, never U+FFFD. */
export function readable(piece: string, spelling: Spelling): string {
  const byte = byteOf(piece);
  if (byte !== null) return visible(decodeBytes([byte]));
  if (spelling.space === "") return visible(bare(piece, spelling));
  const text = spelling.bytes ? decodeBytes(bytesOf(piece)) : piece.replaceAll(spelling.space, " ");
  return visible(text.startsWith(" ") && text.trim() !== "" ? text.slice(1) : text);
}

/** A piece without prefix and suffix, padding characters kept. */
export function bare(piece: string, { prefix, suffix }: Spelling): string {
  const text =
    piece.length > prefix.length && piece.startsWith(prefix) ? piece.slice(prefix.length) : piece;
  return suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
}

/** A text with a name in place of every invisible character. */
export function visible(text: string): string {
  if (text === "" || /^ +$/.test(text)) return "␣".repeat(Math.max(1, text.length));
  const hasInk = /[^\p{C}\p{Z}\p{M}]/u.test(text);
  // A lone combining mark sits on a dotted circle; formatting characters are named when alone or
  // when they change the direction.
  return text.replace(
    hasInk ? /[\p{Cc}\p{Cs}\uFFFD\u202A-\u202E\u2066-\u2069]/gu : /./gsu,
    (character) =>
      NAMED[character] ?? (/\p{M}/u.test(character) ? `◌${character}` : codePoint(character)),
  );
}

const NAMED: Readonly<Record<string, string>> = { "\n": "↵", "\r": "↵", "\t": "⇥", " ": "␣" };

function codePoint(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** Pieces with every run of byte pieces decoded, so that a decoder finds no broken characters. */
export function withNamedBytes(pieces: readonly string[], spelling: Spelling): string[] {
  if (spelling.bytes) return [decodeBytes(pieces.flatMap(bytesOf))];
  const read: string[] = [];
  let bytes: number[] = [];
  for (const piece of [...pieces, ""]) {
    const byte = byteOf(piece);
    if (byte === null) read.push(decodeBytes(bytes), piece);
    bytes = byte === null ? [] : [...bytes, byte];
  }
  return read.filter((piece) => piece !== "");
}

/** The byte of a piece such as `<0xE2>`; null for other pieces. */
function byteOf(piece: string): number | null {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
  return byte === undefined ? null : Number.parseInt(byte, 16);
}

/** UTF-8 where it is complete; a byte of an incomplete character is shown as `⟨E2⟩`. */
export function decodeBytes(bytes: readonly number[]): string {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    // Most bytes are letters of ASCII, for which no decoder is needed.
    if (byte < 0x80) {
      text += String.fromCharCode(byte);
      at += 1;
      continue;
    }
    const length = [1, 2, 3, 4].find((count) => decoded(bytes, at, count) !== null);
    text +=
      length === undefined
        ? `⟨${byte.toString(16).toUpperCase().padStart(2, "0")}⟩`
        : (decoded(bytes, at, length) ?? "");
    at += length ?? 1;
  }
  return text;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: readonly number[], at: number, count: number): string | null {
  try {
    return UTF8.decode(Uint8Array.from(bytes.slice(at, at + count)));
  } catch {
    return null;
  }
}

/** Bytes decoded as UTF-8, with U+FFFD for invalid ones. */
export function decodeUtf8(bytes: readonly number[]): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/**
 * The byte of each of GPT-2's letters: printable Latin-1 stands for itself, the rest is moved to
 * 256 and up.
 */
const BYTE_OF_LETTER: ReadonlyMap<string, number> = (() => {
  const letters = new Map<string, number>();
  let moved = 256;
  for (let byte = 0; byte < 256; byte += 1) {
    const itself = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    letters.set(String.fromCharCode(itself ? byte : moved++), byte);
  }
  return letters;
})();

/** The letter of each byte in GPT-2. */
export const LETTER_OF_BYTE: readonly string[] = Array.from(BYTE_OF_LETTER)
  .sort(([, a], [, b]) => a - b)
  .map(([letter]) => letter);

export function bytesOf(piece: string): number[] {
  const bytes: number[] = [];
  // A loop that calls nothing for a letter: a page decodes its text for each candidate token.
  for (const letter of piece) {
    const byte = BYTE_OF_LETTER.get(letter);
    // A letter outside the alphabet comes from an added token, which is spelled in plain text.
    if (byte === undefined) bytes.push(...new TextEncoder().encode(letter));
    else bytes.push(byte);
  }
  return bytes;
}
