/** Which examples a page can show: the models that come with Headscope may not stand beside it. */
import { DEFAULT_STATE } from "../state/index.js";
import type { Example } from "./guidance.js";
import { isHere } from "./models/addresses.js";

/** Whether a page has the models of an example, or trains one in their place. */
export function isShowable(example: Omit<Example, "edits">): boolean {
  const { model, otherModel, training } = { ...DEFAULT_STATE, ...example };
  return training !== null || [model, otherModel].every((one) => one === null || isHere(one));
}

/** The models of the steps of the tour. */
export const TOUR_MODELS = ["models/en-fr", "models/tiny-bert", "models/tiny-gpt"] as const;

/** Whether a page has the models of the whole tour. */
export const isTourShowable = (): boolean => TOUR_MODELS.every((model) => isShowable({ model }));
