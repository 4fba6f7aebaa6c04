/**
 * What each piece of a word spells, so that an unknown piece can show the characters that it
 * stands for. `spell` gives the text of a known piece, null for an unknown one.
 */
export function surfaces(
  word: string,
  pieces: readonly string[],
  spell: (piece: string) => string | null,
): string[] {
  const known = pieces.map(spell);
  let at = 0;
  return known.map((text, index) => {
    if (text !== null) {
      at += text.length;
      return text;
    }
    const start = at;
    const next = known[index + 1];
    if (next === undefined) at = word.length;
    else if (next !== null) at = Math.max(start, word.indexOf(next, start + 1));
    // Several unknown pieces in a row stand for one character each, the last for what is left.
    else at = start + (Array.from(word.slice(start, start + 2))[0]?.length ?? 0);
    return word.slice(start, at);
  });
}
