/** The addresses of models, and of the files of a folder. */
import { refuse } from "../../engine/errors.js";
import { folderUrl } from "../../engine/source.js";
import { isThere, versionedFolder } from "../../offline/index.js";
import {
  isBeside,
  isBundled,
  isLinked,
  isOnHub,
  type ModelName,
  placeOf,
} from "../../state/index.js";

/**
 * The whole address of a model: a bundled model is in the folder `home`, any other where
 * `loadModel` finds it.
 */
export function addressOf(model: ModelName, home: string): string {
  if (isBundled(model)) return new URL(versionedFolder(model), home).href;
  const place = placeOf(model);
  // A file that is a model by itself has an address of its own.
  if (!/\.gguf(?:\?|$)/.test(place)) return folderUrl(place).href;
  if (!isOnHub(place)) return new URL(place, document.baseURI).href;
  const at = place.lastIndexOf("/");
  return new URL(place.slice(at + 1), folderUrl(place.slice(0, at))).href;
}

/** Whether the page has a model's files: a bundled model may not stand beside it. */
export const isHere = (model: ModelName): boolean => !isBundled(model) || isThere(model);

/**
 * The address from which the page loads a model.
 * @throws load/no-examples
 */
export function loadedFrom(model: ModelName, home: string): string {
  if (isHere(model)) return addressOf(model, home);
  throw refuse("load/no-examples", "this page", model, "no such folder");
}

/**
 * Whether a link to the page at `home` can name a model: what stands beside this page need not
 * stand beside that one.
 */
export function isLinkedFrom(model: ModelName, home: string): boolean {
  const folderOf = (page: string): string => new URL("./", page).href;
  return isLinked(model) && (!isBeside(model) || folderOf(home) === folderOf(document.baseURI));
}
