import { decodeAttributes, type Decoded } from "../state/index.js";

/** What the attributes of a figure ask for. The language is the document's. */
export function questionOf(figure: Pick<Element, "getAttribute">): Decoded {
  return decodeAttributes(figure, ["language"]);
}
