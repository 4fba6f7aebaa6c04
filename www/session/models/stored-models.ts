/** The bundled models that are stored for a visit without a network. */
import { cacheForOffline, isCached } from "../../offline/index.js";
import { BUNDLED_MODELS, type BundledModel } from "../../state/index.js";
import { addressOf } from "./addresses.js";
import type { LoadModel } from "./model-pool.js";
import { MODEL_CARDS } from "./bundled-models.js";
import { FETCHED_FILES } from "./models.js";

/**
 * Loads models as `load` does, and stores bundled ones for a visit without a network; `stored` is
 * called for each.
 */
export function storedOffline(load: LoadModel, home: string, stored: () => void): LoadModel {
  return async (source, options) => {
    const model = await load(source, options);
    const isBundled = BUNDLED_MODELS.some((name) => addressOf(name, home) === source);
    if (typeof source === "string" && isBundled)
      // Without space for it the page works as before, just not offline.
      void cacheForOffline(filesOf(source)).then(
        (all) => all && stored(),
        () => undefined,
      );
    return model;
  };
}

/** The bundled models that a visit without a network finds. */
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
