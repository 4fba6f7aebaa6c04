import { isBundled, type ModelName } from "../state/index.js";
import { addressOf } from "../views/run/kept-models.js";

const FOLDER = "opened/";

/** The model that an attribute names: a bundled one by its name, any other by the address of its folder, relative to the page. */
export function modelNamed(attribute: string): ModelName {
  const name = attribute as ModelName;
  return isBundled(name) ? name : `${FOLDER}${attribute}`;
}

/** The whole address of a model's folder. */
export function addressOfModel(name: ModelName): string {
  if (isBundled(name)) return addressOf(name);
  const folder = new URL(name.slice(FOLDER.length), document.baseURI);
  return (
    folder.pathname.endsWith("/")
      ? folder
      : Object.assign(folder, { pathname: `${folder.pathname}/` })
  ).href;
}
