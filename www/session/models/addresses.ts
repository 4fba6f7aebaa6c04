/** The addresses of models, and of the files of a folder. */
import { folderUrl } from "../../engine/source.js";
import { versionedFolder } from "../../offline/index.js";
import { isBundled, type ModelName } from "../../state/index.js";

/**
 * The whole address of a model: a bundled model is in the folder `home`, any other where
 * `loadModel` finds it.
 */
export function addressOf(model: ModelName, home: string): string {
  if (isBundled(model)) return new URL(versionedFolder(model), home).href;
  const named = model.slice(model.indexOf("/") + 1);
  // A file that is a model by itself has an address of its own.
  return named.endsWith(".gguf") ? new URL(named, document.baseURI).href : folderUrl(named).href;
}
