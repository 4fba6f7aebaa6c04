import { refuse } from "../errors.js";

export interface Piece {
  text: string;
  score: number;
  /**
   * The type of the piece, the same in SentencePiece and GGUF: 3 special, 4 user-defined; both are
   * found in a text as they are.
   */
  type: number;
}

/** The settings by which a text is split into pieces. */
interface Cutting {
  kind: "Unigram" | "BPE";
  /** The table of the normaliser's replacements of characters; empty for none. */
  charsmap: Uint8Array;
  /** Whether the first word gets the space that other words have in front. */
  addsPrefix: boolean;
  /**
   * Whether white space at the ends is stripped, and white space between words becomes one space.
   */
  mergesSpaces: boolean;
}

export interface SentencePiece extends Cutting {
  pieces: Piece[];
}

/**
 * Reads a `.model` or `.spm` file: a `ModelProto` of sentencepiece_model.proto, by field numbers.
 */
export function readSentencePiece(file: string, bytes: Uint8Array): SentencePiece {
  const expected = "a model of SentencePiece, Unigram or BPE; download it again";
  try {
    const model = messageOf([bytes]);
    const [trainer, normalizer] = [messageOf(model.get(2)), messageOf(model.get(3))];
    const kind = ([undefined, "Unigram", "BPE"] as const)[numberIn(trainer, 3, 1)];
    // A BPE lists its pieces in the order of their merges, which Gemma's scores do not follow.
    const pieces = (model.get(1) ?? []).map((part, at) => {
      const piece = messageOf([part]);
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesIn(piece, 1));
      return {
        text,
        score: kind === "BPE" ? -at : numberIn(piece, 2, 0),
        type: numberIn(piece, 3, 1),
      };
    });
    if (kind === undefined || pieces.length === 0)
      throw new RangeError("no pieces of a known kind");
    return {
      pieces,
      kind,
      charsmap: bytesIn(normalizer, 2),
      addsPrefix: numberIn(normalizer, 3, 1) !== 0,
      mergesSpaces: numberIn(normalizer, 4, 1) !== 0,
    };
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw refuse("load/bad-tokenizer", file, expected, thrown.message);
  }
}

/** The values of a protobuf message by field number: whole numbers, f32, or bytes. */
type Message = ReadonlyMap<number, (number | Uint8Array)[]>;

function numberIn(message: Message, field: number, otherwise: number): number {
  const value = message.get(field)?.at(-1);
  return typeof value === "number" ? value : otherwise;
}

function bytesIn(message: Message, field: number): Uint8Array {
  const value = message.get(field)?.at(-1);
  return value instanceof Uint8Array ? value : new Uint8Array();
}

/**
 * Reads a protobuf message, which may come in several parts.
 * @throws RangeError for bytes that are not a message
 */
function messageOf(parts: readonly (number | Uint8Array)[] = []): Message {
  const message = new Map<number, (number | Uint8Array)[]>();
  for (const bytes of parts) {
    if (typeof bytes === "number") throw new RangeError("a number in place of a message");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    const varint = (): number => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = view.getUint8(at++);
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    const take = (length: number): Uint8Array => {
      if (at + length > bytes.length) throw new RangeError("a field that is cut off");
      return bytes.subarray(at, (at += length));
    };
    const fixed = (): number => view.getFloat32((at += 4) - 4, true);
    const readers = [varint, () => take(8), () => take(varint()), null, null, fixed];
    while (at < bytes.length) {
      const tag = varint();
      const value = readers[tag % 8]?.();
      if (value === undefined) throw new RangeError("a field of an unknown type");
      const values = message.get(tag >>> 3);
      if (values === undefined) message.set(tag >>> 3, [value]);
      else values.push(value);
    }
  }
  return message;
}

/** The parts of a tokenizer.json that split a text into pieces. */
export function cut(
  { kind, charsmap, addsPrefix, mergesSpaces }: Cutting,
  pieces: readonly Piece[],
  unk_id: number,
  given?: readonly string[],
): Record<"normalizer" | "pre_tokenizer" | "decoder" | "model", object | null> {
  const prepend_scheme = addsPrefix ? (mergesSpaces ? "always" : "first") : "never";
  const metaspace = { type: "Metaspace", replacement: "▁", prepend_scheme, split: mergesSpaces };
  const words = { type: "Sequence", pretokenizers: [{ type: "WhitespaceSplit" }, metaspace] };
  const decoders = [
    { type: "Replace", pattern: { String: "▁" }, content: " " },
    { type: "ByteFallback" },
    { type: "Fuse" },
    ...(addsPrefix ? [{ type: "Strip", content: " ", start: 1, stop: 0 }] : []),
  ];
  const table = btoa(Array.from(charsmap, (byte) => String.fromCharCode(byte)).join(""));
  const vocab = Object.fromEntries(pieces.map(({ text }, id) => [text, id]));
  const merges = { merges: given ?? mergesOf(pieces), fuse_unk: true, byte_fallback: true };
  return {
    normalizer: table === "" ? null : { type: "Precompiled", precompiled_charsmap: table },
    pre_tokenizer: mergesSpaces ? words : metaspace,
    decoder: kind === "BPE" ? { type: "Sequence", decoders } : metaspace,
    model:
      kind === "BPE"
        ? { type: kind, vocab, unk_token: pieces[unk_id]?.text, ...merges }
        : { type: kind, vocab: pieces.map(({ text, score }) => [text, score]), unk_id },
  };
}

/**
 * All merges, that is every split of a piece into two others: by the score of the piece, best
 * first, then by the longest left part, as Hugging Face's converter orders them.
 */
function mergesOf(pieces: readonly Piece[]): [string, string][] {
  const known = new Set(pieces.map(({ text }) => text));
  const cuts = pieces.flatMap(({ text, score }) => {
    const letters = Array.from(text);
    return letters.slice(1).flatMap((_, at) => {
      const left = letters.slice(0, at + 1).join("");
      const right = text.slice(left.length);
      const rest = letters.length - at;
      return known.has(left) && known.has(right) ? [{ left, right, score, at, rest }] : [];
    });
  });
  const order = cuts.sort((a, b) => b.score - a.score || b.at - a.at || b.rest - a.rest);
  return order.map(({ left, right }) => [left, right]);
}
