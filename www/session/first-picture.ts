import type { HeadRef, Tensor, Token } from "../data/index.js";
import type { HeadRole } from "../elements/grid/element.js";
import type { Model } from "../headscope.js";
import { tracked } from "../signals.js";
import { DEFAULT_STATE, encodeState, type State } from "../state/index.js";
import type { Computation } from "./run/computation.js";
import { THUMBNAIL_SIZE } from "./run/head.js";
import { assignedRoles } from "./run/head-order.js";
import { NO_STRIP, type Strip } from "./run/selection.js";

/**
 * Quantized numbers, precise enough for a picture. The last two axes make one map, and each map has
 * its own scale.
 */
interface Stepped {
  shape: number[];
  axes: string[];
  /** The last step: 255 for bytes, 65535 for two bytes. */
  last: number;
  /** The largest number of each map, which is its last step; step 0 is 0. */
  most: number[];
  /** The steps in base64, a byte or two per number. */
  steps: string;
}

/**
 * The page's view of its first State before the model is loaded: computed by that model when the
 * site was built.
 */
interface FirstPicture {
  /** The State of the picture, as an address. */
  address: string;
  head: HeadRef;
  sourceTokens: Token[];
  targetTokens: Token[];
  translation: string;
  /**
   * The head's weights, `[query, key]`, and the small pictures of all heads, `[layer, head, row,
   * column]`.
   */
  weights: Stepped;
  thumbnails: Stepped;
  roles: HeadRole[][] | null;
}

const SHADES = 255;
/** The last step of weights: fine enough that the sums of rows do not change visibly. */
export const FINE = 65535;

const arrayOf = (last: number): Uint8ArrayConstructor | Uint16ArrayConstructor =>
  last > SHADES ? Uint16Array : Uint8Array;
const mapSize = (shape: readonly number[]): number => (shape.at(-2) ?? 0) * (shape.at(-1) ?? 0);

export function inSteps({ data, shape, axes }: Tensor, last = SHADES): Stepped {
  const size = mapSize(shape);
  const most = Array.from({ length: size === 0 ? 0 : data.length / size }, (_, map) =>
    data.subarray(map * size, (map + 1) * size).reduce((one, other) => Math.max(one, other), 0),
  );
  const stepOf = (value: number, index: number): number =>
    Math.round((value / Math.max(most[Math.floor(index / size)] ?? 0, Number.MIN_VALUE)) * last);
  const bytes = new Uint8Array(new (arrayOf(last))(Array.from(data, stepOf)).buffer);
  return { shape, axes, last, most, steps: btoa(String.fromCharCode(...bytes)) };
}

export function fromSteps({ shape, axes, last, most, steps }: Stepped): Tensor {
  const size = mapSize(shape);
  const { buffer } = Uint8Array.from(atob(steps), (byte) => byte.charCodeAt(0));
  const valueOf = (step: number, index: number): number =>
    (step / last) * (most[Math.floor(index / size)] ?? 0);
  return { data: Float32Array.from(new (arrayOf(last))(buffer), valueOf), shape, axes };
}

export const FIRST_MODEL = DEFAULT_STATE.model;

/** Computes the first State's picture with the model, when the site is built. */
export async function drawFirst(model: Model): Promise<FirstPicture> {
  const { stack, layer, head, text } = DEFAULT_STATE;
  const run = await model.run({ text });
  const scores = model.notes?.roles[stack];
  return {
    address: encodeState(DEFAULT_STATE),
    head: { stack, layer, head },
    sourceTokens: [...run.tokens],
    targetTokens: [...run.targetTokens],
    translation: run.targetText,
    weights: inSteps(await run.attention({ stack, layer, head }), FINE),
    thumbnails: inSteps(await run.thumbnails({ stack, size: THUMBNAIL_SIZE })),
    roles: assignedRoles(scores ? { basis: "heldOut", scores } : null),
  };
}

/** The first picture in the form that the parts of the page use. */
export interface PrecomputedView extends Omit<FirstPicture, "weights" | "thumbnails"> {
  weights: Tensor;
  thumbnails: Tensor;
  source: Strip;
  result: Strip;
}

/** A picture that is fetched before there is an explorer to show it. */
interface FetchedAhead {
  coming: Promise<PrecomputedView | null>;
  /** The picture, where the first explorer waits for it. */
  view: PrecomputedView | null;
}

/** The pictures that are fetched before there is an explorer, by the addresses of their folders. */
const ahead = new Map<string, FetchedAhead>();

/**
 * Fetches the picture before there is an explorer, whose first frame should have it. For another
 * State it fetches without waiting, because browsers warn about a preload that is never used.
 */
export async function fetchAhead(state: State, home: string): Promise<void> {
  const picture: FetchedAhead = { coming: fetchPicture(home), view: null };
  ahead.set(home, picture);
  if (isFirst(state)) picture.view = await picture.coming;
}

/** The precomputed view of the first State while the model is fetched. No other State has one. */
export class Precomputed {
  @tracked private view: PrecomputedView | null;
  private asked: boolean;
  /** Whether the view is over: another State was requested, or the model has answered. */
  private over = false;

  /** `home` is the address of the folder that has the picture. */
  constructor(private readonly home: string) {
    this.view = ahead.get(home)?.view ?? null;
    this.asked = this.view !== null;
  }

  /**
   * The view until the run is completely `there`, so that nothing moves in between; null if nothing
   * has to be waited for.
   */
  of(
    state: State,
    { download, failure, stopped }: Pick<Computation, "download" | "failure" | "stopped">,
    there: boolean,
  ): PrecomputedView | null {
    this.over ||=
      there || failure !== null || stopped || download.phase === "cancelled" || !isFirst(state);
    if (this.over) return null;
    if (!this.asked) {
      const coming = ahead.get(this.home)?.coming ?? fetchPicture(this.home);
      void coming.then((view) => (this.view = view));
    }
    this.asked = true;
    return this.view;
  }
}

async function fetchPicture(home: string): Promise<PrecomputedView | null> {
  try {
    const answer = await fetch(new URL("first-picture.json", home));
    const picture = (await answer.json()) as FirstPicture;
    // A picture that was built for another first State is not used.
    if (picture.address !== encodeState(DEFAULT_STATE)) return null;
    return {
      ...picture,
      weights: fromSteps(picture.weights),
      thumbnails: fromSteps(picture.thumbnails),
      source: { ...NO_STRIP, tokens: picture.sourceTokens },
      result: { ...NO_STRIP, tokens: picture.targetTokens },
    };
  } catch {
    // The model is loaded regardless.
    return null;
  }
}

/**
 * Whether the State asks for the precomputed picture, regardless of the page's appearance, and of
 * the pair or the part that a user holds in the picture.
 */
function isFirst(state: State): boolean {
  const { theme, language, colours, tour, experiment, backend, locked, region } = DEFAULT_STATE;
  const regardless = { theme, language, colours, tour, experiment, backend, locked, region };
  // An address leaves out the name of a model from a disk.
  return (
    state.model === FIRST_MODEL &&
    encodeState({ ...state, ...regardless }) === encodeState(DEFAULT_STATE)
  );
}
