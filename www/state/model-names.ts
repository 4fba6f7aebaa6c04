/** The names of models in a State, and which of them an address of the page can hold. */

/** Folders of the models that come with the page, relative to it. */
export const BUNDLED_MODELS = [
  "models/en-fr",
  "models/tiny-gpt",
  "models/tiny-bert",
  "models/tiny-vit",
] as const;
export type BundledModel = (typeof BUNDLED_MODELS)[number];
/** A folder from the user's own disk, which no address can hold. */
export type OpenedModel = `opened/${string}`;
/**
 * A folder or a GGUF file that a page or a link names: by a URL, as seen from the page, or by a hub
 * id.
 */
export type AddressedModel = `at/${string}`;
export type ModelName = BundledModel | OpenedModel | AddressedModel;

/** A folder or file below the folder of the page: no other server, and nothing above the page. */
const BESIDE = /^\.\/(?!(?:.*\/)?\.\.(?:\/|$))[^\\?#\0]+$/;
/** The id of a model on the hub, or a GGUF file in it. */
const ON_HUB = /^[\w-][\w.-]*\/[\w-][\w.-]*(?:\/[^/\\?#\0]+\.gguf)?$/;
/** What stands before the id of a model on the hub in an address. */
const HUB_SIGN = "hub:";
/** A page whose address says nothing about a model. */
const ANY_PAGE = "https://page.invalid/";

/** How an address names a model. */
export const MODEL_FORM = `${BUNDLED_MODELS.join(" | ")} | ./… | hub:org/name | https://…`;

export function isBundled(model: ModelName): model is BundledModel {
  return BUNDLED_MODELS.some((one) => one === model);
}

export function isOpened(model: ModelName): model is OpenedModel {
  return model.startsWith("opened/");
}

export function isAddressed(model: ModelName): model is AddressedModel {
  return model.startsWith("at/");
}

/** Whether a model stands beside the page, under a path that begins with `./`. */
export function isBeside(model: ModelName): model is AddressedModel {
  return isAddressed(model) && BESIDE.test(placeOf(model));
}

/** Whether the address of the page can name a model. */
export function isLinked(model: ModelName): boolean {
  return isBundled(model) || (isAddressed(model) && writtenPlace(placeOf(model)) !== null);
}

/** The model with a name: a bundled one, or any other by the URL of its folder or its hub id. */
function modelNamed(text: string): ModelName {
  const bundled = BUNDLED_MODELS.find((one) => one === text);
  const id = text.startsWith(HUB_SIGN) ? text.slice(HUB_SIGN.length) : "";
  return bundled ?? `at/${isOnHub(id) ? id : text}`;
}

/** The model that a page names; undefined for an address that is none of the web. */
export function readModel(text: string): ModelName | undefined {
  const model = modelNamed(text);
  return isAddressed(model) && !isOfWeb(placeOf(model)) ? undefined : model;
}

/** The model that a link names; undefined for one that no link can hold. */
export function readLinkedModel(text: string): ModelName | undefined {
  const model = modelNamed(text);
  // An id without its sign may as well be a folder of the page that is misspelt.
  return isLinked(model) && (isBundled(model) || !isOnHub(text)) ? model : undefined;
}

/** The name of a model in a link; null for a model that no link can hold. */
export function linkedName(model: ModelName): string | null {
  return isBundled(model) ? model : isAddressed(model) ? writtenPlace(placeOf(model)) : null;
}

/** Whether a text is the id of a model on the hub, or of a GGUF file in it. */
export const isOnHub = (text: string): boolean => ON_HUB.test(text);

/** Where a page finds a model: its folder or hub id. */
export const placeOf = (model: ModelName): string => model.slice(model.indexOf("/") + 1);

function writtenPlace(place: string): string | null {
  if (isOnHub(place)) return `${HUB_SIGN}${place}`;
  return BESIDE.test(place) || isWebAddress(place) ? place : null;
}

/** Whether a text is a whole URL that a link can hold. */
const isWebAddress = (text: string): boolean =>
  /^https?:\/\//i.test(text) && isOfWeb(text) && new URL(text).hash === "";

/** Whether a place, as seen from a page, is one of the web; a password would be given away. */
function isOfWeb(place: string): boolean {
  if (!URL.canParse(place, ANY_PAGE)) return false;
  const { protocol, username, password } = new URL(place, ANY_PAGE);
  return /^https?:$/.test(protocol) && `${username}${password}` === "";
}
