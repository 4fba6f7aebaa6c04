import { isKept, keepForOffline, versionedFolder } from "../../offline/index.js";
import { folderUrl } from "../../engine/source.js";
import { BUNDLED_MODELS, isBundled, type BundledModel, type ModelName } from "../../state/index.js";
import { home } from "../home.js";
import { FETCHED_FILES, MODEL_CARDS } from "../models.js";
import type { LoadModel } from "./shelf.js";

/** The whole address of a model: a bundled one lies beside the page's script, any other where `loadModel` finds it. */
export function addressOf(model: ModelName): string {
  return isBundled(model)
    ? new URL(versionedFolder(model), home()).href
    : folderUrl(model.slice(model.indexOf("/") + 1)).href;
}

/** Loads models as `load` does, and has bundled ones that were fetched kept for a visit without a network; `kept` hears of each. */
export function keptOffline(load: LoadModel, kept: () => void): LoadModel {
  return async (source, options) => {
    const model = await load(source, options);
    if (typeof source === "string" && BUNDLED_MODELS.some((name) => addressOf(name) === source))
      void keepForOffline(filesOf(source), model.info.adapter !== null).then(
        (all) => all && kept(),
      );
    return model;
  };
}

/** The bundled models that a visit without a network finds. */
export async function keptModels(): Promise<BundledModel[]> {
  const kept = await Promise.all(
    MODEL_CARDS.map(({ name }) => isKept(filesOf(addressOf(name))).catch(() => false)),
  );
  return MODEL_CARDS.flatMap(({ name }, index) => (kept[index] ? [name] : []));
}

function filesOf(folder: string): string[] {
  return FETCHED_FILES.map(
    (file) => Object.assign(new URL(file, folder), { search: new URL(folder).search }).href,
  );
}
