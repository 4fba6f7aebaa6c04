/**
 * The normaliser of a SentencePiece table (`precompiled_charsmap`, base64). SentencePiece itself replaces the longest
 * text that the table has at each place (`isLongest`); Hugging Face's library takes a short grapheme as a whole, if the
 * table has its beginning, else character by character.
 *
 * The table is the size of a double-array trie (as of Darts-clone), the trie, and the replacements, each ended by a zero.
 */
export function precompiled(base64: string, isLongest: boolean): (text: string) => string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const size = bytes.length < 4 ? 0 : Math.min(view.getUint32(0, true), bytes.length - 4);
  const units = Uint32Array.from({ length: size >> 2 }, (_, at) =>
    view.getUint32(4 + 4 * at, true),
  );
  const replacements = bytes.subarray(4 + size);
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder("utf-8", { ignoreBOM: true })];
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const offsetOf = (unit: number): number => (unit >>> 10) << ((unit & 512) >>> 6);

  /** The texts at the beginning of a key that the table has, the shortest first: their lengths in bytes and what stands for them. */
  function* matches(key: Uint8Array): Generator<[length: number, by: string]> {
    let at = offsetOf(units[0] ?? 0);
    for (const [index, byte] of key.entries()) {
      at ^= byte;
      const unit = units[at] ?? 0;
      if (byte === 0 || (unit & 0x800000ff) !== byte) return;
      at ^= offsetOf(unit);
      if ((unit & 256) === 0) continue;
      const start = (units[at] ?? 0) & 0x7fffffff;
      yield [
        index + 1,
        decoder.decode(replacements.subarray(start, replacements.indexOf(0, start))),
      ];
    }
  }
  const shortest = (text: string): string | null => {
    for (const [, by] of matches(encoder.encode(text))) return by;
    return null;
  };
  const longest = (text: string): string => {
    let key = encoder.encode(text);
    let made = "";
    while (key.length > 0) {
      const [first] = decoder.decode(key.subarray(0, 4));
      const plain = first ?? "";
      const [length, by] = [...matches(key)].at(-1) ?? [encoder.encode(plain).length, plain];
      made += by;
      key = key.subarray(length);
    }
    return made;
  };
  if (isLongest) return longest;
  return (text) =>
    Array.from(graphemes.segment(text), ({ segment }) => {
      const whole = encoder.encode(segment).length < 6 ? shortest(segment) : null;
      return whole ?? Array.from(segment, (character) => shortest(character) ?? character).join("");
    }).join("");
}
