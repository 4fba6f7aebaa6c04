/**
 * The numbers of a figure without a model, as JSON of one of two forms: `headscope-tensor`, the
 * file of one tensor that the page saves, and `headscope-figure`, all properties of one figure.
 * What does not fit is refused by the name of its field.
 */
import type { LitElement, ReactiveElement } from "lit";
import type { Tensor } from "../../data/index.js";
import { isRecord, Misfit } from "../../data/shape.js";
import { refuse, type HeadscopeError } from "../../engine/errors.js";
import { FIGURE_FORMAT, FIGURE_VERSION } from "../../export/figure-file.js";
import { TENSOR_FORMAT, TENSOR_VERSION } from "../../export/number-files.js";
import { thumbnailsOf } from "../../reduce/thumbnails.js";
import type { FigureTag } from "../heights.js";
import { checkFit } from "./fits.js";
import { propertiesIn } from "./properties.js";
import { placeInFile, propertiesOf, savedTensor } from "./tensor-file.js";

type Properties = Readonly<Record<string, unknown>>;

export interface Numbers {
  /** The properties of the element. */
  properties: Properties;
  /** What the numbers are of, for a caption. */
  about: string;
}

/** The code of numbers of which a field is not as it must be. */
const UNREADABLE = "figure/unreadable";
/** The code of numbers of another figure. */
const OTHER = "figure/other";
/** The forms that are read, each with its version. */
const VERSIONS: ReadonlyMap<unknown, number> = new Map([
  [FIGURE_FORMAT, FIGURE_VERSION],
  [TENSOR_FORMAT, TENSOR_VERSION],
]);
const DOING = "Reading the numbers of a figure";

/** What a figure shows of the JSON in `text`.
 * @throws HeadscopeError `figure/not-json`, `figure/version`, `figure/other`, `figure/unreadable`
 */
export function readNumbers(tag: FigureTag, host: ReactiveElement, text: string): Numbers {
  const file = parsed(text);
  if (!isRecord(file)) throw unreadable(new Misfit("{ format, formatVersion }", file));
  const { format, formatVersion } = file;
  const version = VERSIONS.get(format);
  if (version === undefined)
    throw unreadable(at("format", new Misfit([...VERSIONS.keys()].join(" | "), format)));
  if (formatVersion !== version)
    throw refuse("figure/version", DOING, String(version), JSON.stringify(formatVersion));
  const type = host.constructor as typeof LitElement;
  const numbers = format === FIGURE_FORMAT ? figureIn(tag, type, file) : tensorIn(tag, type, file);
  if (numbers instanceof Misfit) throw unreadable(numbers);
  return numbers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    const got = text.trim() === "" ? "nothing" : (thrown as Error).message;
    throw refuse("figure/not-json", DOING, "JSON", got);
  }
}

function unreadable({ path, expected, got }: Misfit): HeadscopeError {
  const field = path.replace(/^\./, "");
  const where = field === "" ? expected : `${field}: ${expected}`;
  return refuse(UNREADABLE, DOING, where, got);
}

/** A misfit of a field, by the path from around it. */
function at(field: string, misfit: Misfit): Misfit {
  misfit.path = `.${field}${misfit.path}`;
  return misfit;
}

const nameOf = (tag: FigureTag): string => tag.replace("headscope-", "");

function figureIn(
  tag: FigureTag,
  type: typeof LitElement,
  { figure, about = "", properties }: Readonly<Record<string, unknown>>,
): Numbers | Misfit {
  if (typeof figure !== "string") return at("figure", new Misfit(`"${nameOf(tag)}"`, figure));
  if (figure !== nameOf(tag)) throw refuse(OTHER, DOING, nameOf(tag), figure);
  if (typeof about !== "string") return at("about", new Misfit("a string", about));
  const read = propertiesIn(type, properties);
  const misfit = read instanceof Misfit ? read : checkFit(tag, read);
  if (misfit) return at("properties", misfit);
  return { properties: finished(tag, type, read as Properties), about };
}

function tensorIn(
  tag: FigureTag,
  type: typeof LitElement,
  file: Readonly<Record<string, unknown>>,
): Numbers | Misfit {
  const saved = savedTensor(file);
  if (saved instanceof Misfit) return saved;
  const made = propertiesOf(tag, saved);
  if ("expected" in made) throw refuse(OTHER, DOING, made.expected, made.got);
  const read = propertiesIn(type, made.properties);
  const misfit = read instanceof Misfit ? read : checkFit(tag, read);
  if (misfit) {
    if (/\.data\[\d+\]$|\.values?\b/.test(misfit.path))
      misfit.path = placeInFile(misfit.path, saved);
    return misfit;
  }
  return { properties: finished(tag, type, read as Properties), about: made.about };
}

/** The side of the largest picture of a head in a grid: none is drawn larger. */
const THUMBNAIL = 48;

/** The properties with what follows from numbers: there is no model that would edit them. */
function finished(tag: FigureTag, type: typeof LitElement, properties: Properties): Properties {
  const all = type.elementProperties.has("plain") ? { plain: true, ...properties } : properties;
  if (tag !== "headscope-grid") return all;
  return { ...all, thumbnails: thumbnailsOf(properties.thumbnails as Tensor, THUMBNAIL) };
}
