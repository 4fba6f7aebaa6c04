import { ModelPool } from "../../www/engine/model-pool.js";
import type { OpenModel } from "../../www/engine/model.js";
import type { Model } from "../../www/headscope.js";
import type { LoadModel } from "../../www/session/models/model-pool.js";

/** Loads fake models as a page does: each once for all that name it. */
export function fakePool(open: LoadModel): LoadModel {
  const pool = new ModelPool(async (source, options) => opened(await open(source, options)));
  return (source, options) => pool.load(source, options);
}

/** A model for several users, each of whom ends only its own use. */
function opened(model: Model): OpenModel {
  return {
    use: ({ ended } = {}) =>
      Object.assign(Object.create(model) as Model, { dispose: () => ended?.() }),
    onRestart: (listener) => model.onRestart(listener),
    dispose: () => model.dispose(),
  };
}
