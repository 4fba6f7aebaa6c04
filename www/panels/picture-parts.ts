/** The pictures of a head: which are offered, their modules, and the templates of their figures. */
import type { TemplateResult } from "lit";
import { html as staticHtml, unsafeStatic } from "lit/static-html.js";
import type { HeadscopeSteps } from "../elements/steps/element.js";
import { setProperties } from "../elements/shared/templates.js";
import { PAIR_PICTURES } from "../session/run/pair-pictures.js";
import type { RunView } from "../session/run/run-view.js";
import { type Picture, PICTURES } from "../state/index.js";
import { Later } from "../ui/lazy.js";

/** The module of each picture, loaded when it is opened; the heatmap is part of the page. */
export const PICTURE_PARTS = new Map<Picture, Later<unknown>>([
  ["steps", new Later(() => import("../elements/steps/element.js"), "steps")],
  ["positions", new Later(() => import("../elements/positions.js"), "pictures")],
  ["layers", new Later(() => import("./layers-panel.js"), "layers", "notices")],
  ...Object.entries(PAIR_PICTURES).flatMap(([picture, { fetch }]) =>
    fetch ? [[picture as Picture, new Later(fetch, "pictures")] as const] : [],
  ),
]);

/** The pictures that belong to an experiment, which shows them. */
const OF_EXPERIMENTS: ReadonlySet<Picture> = new Set(["mask", "positions"]);

/**
 * The pictures on offer beside the present one: weights over an image only if the model reads one;
 * mask and positions in their experiments.
 */
export function offeredPictures({ info, state }: Pick<RunView, "info" | "state">): Picture[] {
  const isOffered = (one: Picture): boolean =>
    one === "image" ? (info?.image ?? null) !== null : !OF_EXPERIMENTS.has(one);
  return PICTURES.filter((one) => isOffered(one) || state.picture === one);
}

/**
 * One template for the first heatmap and the model's own: a new element would have no height at
 * first, and the page would jump.
 */
export function figure(picture: Picture, properties: object): TemplateResult {
  const tag = unsafeStatic(`headscope-${picture}`);
  return staticHtml`<${tag} ${setProperties(properties)}></${tag}>`;
}

/** The properties of the picture of a block's steps. */
export function stepsOf(view: RunView): Partial<HeadscopeSteps> {
  const { block, explained, figures, held, origins, unusual, size, info, state } = view;
  const { queries = [], keys = [], head = null } = block?.figures ?? figures ?? {};
  const { place = null, explanation = null } = explained ?? {};
  return {
    head,
    queries,
    keys,
    held,
    origins,
    unusual,
    place,
    explanation,
    steps: block?.steps ?? [],
    heads: size?.heads ?? 0,
    tokenTypes: info?.tokenTypes ?? 0,
    colours: state.colours,
  };
}
