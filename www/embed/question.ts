import { decodeAttributes, type State } from "../state/index.js";
import { modelNamed } from "./model-name.js";

/** These attributes of a figure say something else than in an address: a model may be any folder, and the language is the document's. */
const APART = ["model", "othermodel", "language"];

/** What the attributes of a figure ask for. */
export function questionOf(figure: Pick<Element, "getAttribute">): State {
  const { state } = decodeAttributes(figure, APART);
  const other = figure.getAttribute("othermodel");
  return {
    ...state,
    model: modelNamed(figure.getAttribute("model") ?? ""),
    otherModel: other === null ? null : modelNamed(other),
  };
}
