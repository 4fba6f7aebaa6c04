// How wide texts are, as they were measured before: most labels of a new picture are those of the one before it.

/** What measures in the font that it was given last. */
interface Measures {
  font: string;
  measureText: (text: string) => { width: number };
}

/** Beyond these a measure begins anew: nobody reads that many labels at once. */
const MOST_KNOWN = 5000;

/** By what measured, by font, by text: paper may measure otherwise than the screen. */
let known = new WeakMap<Measures, Map<string, Map<string, number>>>();

/** The width of a text in a font. Whether the brush has that font afterwards is left open: what is known is not measured. */
export function widthOf(brush: Measures, font: string, text: string): number {
  const fonts = entry(known, brush, () => new Map<string, Map<string, number>>());
  const widths = entry(fonts, font, () => new Map<string, number>());
  const before = widths.get(text);
  if (before !== undefined) return before;
  brush.font = font;
  const { width } = brush.measureText(text);
  if (widths.size >= MOST_KNOWN) widths.clear();
  widths.set(text, width);
  return width;
}

/** A font has come that was not there before: what was measured was another's. */
export function forgetWidths(): void {
  known = new WeakMap();
}

function entry<Key extends object | string, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
