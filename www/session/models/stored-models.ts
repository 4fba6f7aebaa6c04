/** The bundled models that are stored for a visit without a network. */
import { cacheForOffline, isCached } from "../../offline/index.js";
import type { BundledModel } from "../../state/index.js";
import { addressOf } from "./addresses.js";
import type { LoadModel } from "./model-pool.js";
import { MODEL_CARDS, type ModelCard } from "./bundled-models.js";
import { fetchedFiles } from "./models.js";

/**
 * Wraps `load` so that it stores bundled models for a visit without a network; `stored` is called
 * for each.
 */
export function storedOffline(load: LoadModel, home: string, stored: () => void): LoadModel {
  return async (source, options) => {
    const model = await load(source, options);
    const card = MODEL_CARDS.find(({ name }) => addressOf(name, home) === source);
    if (card)
      // If there is no space, the page works as before, but not offline.
      void cacheForOffline(filesOf(card, home)).then(
        (all) => all && stored(),
        () => undefined,
      );
    return model;
  };
}

/** The bundled models that are available without a network. */
export async function storedModels(home: string): Promise<BundledModel[]> {
  const cached = await Promise.all(
    MODEL_CARDS.map((card) => isCached(filesOf(card, home)).catch(() => false)),
  );
  return MODEL_CARDS.flatMap(({ name }, index) => (cached[index] ? [name] : []));
}

function filesOf(card: ModelCard, home: string): string[] {
  const folder = addressOf(card.name, home);
  return fetchedFiles(card).map(
    (file) => Object.assign(new URL(file, folder), { search: new URL(folder).search }).href,
  );
}
