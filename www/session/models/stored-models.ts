/** The bundled models that are stored for a visit without a network. */
import { cacheForOffline, isCached } from "../../offline/index.js";
import { BUNDLED_MODELS, type BundledModel } from "../../state/index.js";
import { addressOf } from "./addresses.js";
import type { LoadModel } from "./model-pool.js";
import { MODEL_CARDS } from "./bundled-models.js";
import { FETCHED_FILES } from "./models.js";

/**
 * Wraps `load` so that it stores bundled models for a visit without a network; `stored` is called
 * for each.
 */
export function storedOffline(load: LoadModel, home: string, stored: () => void): LoadModel {
  return async (source, options) => {
    const model = await load(source, options);
    const isBundled = BUNDLED_MODELS.some((name) => addressOf(name, home) === source);
    if (typeof source === "string" && isBundled)
      // If there is no space, the page works as before, but not offline.
      void cacheForOffline(filesOf(source)).then(
        (all) => all && stored(),
        () => undefined,
      );
    return model;
  };
}

/** The bundled models that are available without a network. */
export async function storedModels(home: string): Promise<BundledModel[]> {
  const cached = await Promise.all(
    MODEL_CARDS.map(({ name }) => isCached(filesOf(addressOf(name, home))).catch(() => false)),
  );
  return MODEL_CARDS.flatMap(({ name }, index) => (cached[index] ? [name] : []));
}

function filesOf(folder: string): string[] {
  return FETCHED_FILES.map(
    (file) => Object.assign(new URL(file, folder), { search: new URL(folder).search }).href,
  );
}
