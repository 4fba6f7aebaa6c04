/** How figures and explorers load the models of their page. */
import type { LoadOptions, LoadProgress, Model, ModelSource } from "../../headscope.js";
import { models as pageModels } from "../../engine/model-pool.js";

/** The function that loads a model; tests supply their own. */
export type LoadModel = (source: ModelSource, options: LoadOptions) => Promise<Model>;

export type OnProgress = (progress: LoadProgress) => void;

/**
 * The time that a model stays loaded after an element: one that moves within its page is
 * disconnected for a moment, and a model takes long to load.
 */
const LINGER_MILLIS = 2000;

/** The models that all figures and explorers of a page share with its own code. */
export const models: { load: LoadModel } = {
  load: (source, options) => pageModels.load(source, options, LINGER_MILLIS),
};
