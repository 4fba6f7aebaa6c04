/** Which examples a page can show: the models that come with Headscope may not stand beside it. */
import { DEFAULT_STATE, type Guide, TOUR } from "../state/index.js";
import { type Example, GUIDES } from "./guides.js";
import { isHere } from "./models/addresses.js";

/** Whether a page has the models of an example, or trains one in their place. */
export function isShowable(example: Omit<Example, "edits">): boolean {
  const { model, otherModel, training } = { ...DEFAULT_STATE, ...example };
  return training !== null || [model, otherModel].every((one) => one === null || isHere(one));
}

/** Whether a page has the model of a step of the tour or of a question. */
export const isGuideShowable = (guide: Guide): boolean => isShowable(GUIDES[guide].state);

/** Whether a page has the models of the whole tour. */
export const isTourShowable = (): boolean => TOUR.every(isGuideShowable);
