import type { Tensor } from "../../data/index.js";
import { tracked } from "../../signals.js";
import { DEFAULT_STATE, encodeState, type State } from "../../state/index.js";
import { home } from "../home.js";
import type { Computation } from "../run/computation.js";
import { NO_STRIP, type Strip } from "../run/selection.js";
import { fromSteps, type FirstPicture } from "./picture.js";

/** The first picture as the parts of the page take it. */
export interface PrecomputedView extends Omit<FirstPicture, "weights" | "thumbnails"> {
  weights: Tensor;
  thumbnails: Tensor;
  source: Strip;
  result: Strip;
}

/** What is fetched before there is an explorer to show it, and its answer for the first State. */
let ahead: Promise<PrecomputedView | null> | null = null;
let fetched: PrecomputedView | null = null;

/**
 * Begins with the picture as early as there is a State, and is done when it has come, if it is the State's: the explorer's
 * first frame should have it, so that nothing moves. A link to something else fetches it as well and waits for nothing:
 * the document preloads it, and browsers warn of a preload that is never used.
 */
export async function fetchAhead(state: State): Promise<void> {
  ahead = fetchPicture();
  if (isFirst(state)) fetched = await ahead;
}

/** What the page shows of its first State while the model is fetched. No other State has such a picture. */
export class Precomputed {
  @tracked private view: PrecomputedView | null = fetched;
  private asked = fetched !== null;
  /** Never again once something else was asked for, or the model has answered. */
  private over = false;

  /** Until the run is `there`, all of it, so that nothing moves in between; null where there is nothing to be waited for. */
  of(
    state: State,
    { download, failure, stopped }: Pick<Computation, "download" | "failure" | "stopped">,
    there: boolean,
  ): PrecomputedView | null {
    this.over ||=
      there || failure !== null || stopped || download.phase === "cancelled" || !isFirst(state);
    if (this.over) return null;
    if (!this.asked) void this.fetch();
    return this.view;
  }

  private async fetch(): Promise<void> {
    this.asked = true;
    this.view = await (ahead ?? fetchPicture());
  }
}

async function fetchPicture(): Promise<PrecomputedView | null> {
  try {
    const answer = await fetch(new URL("first-picture.json", home()));
    const picture = (await answer.json()) as FirstPicture;
    // One that was built for another first State is none.
    return picture.address === encodeState(DEFAULT_STATE) ? viewOf(picture) : null;
  } catch {
    // The model comes all the same.
    return null;
  }
}

/** Whether the picture is the one that the State asks for, whatever the page around it looks like. */
function isFirst(state: State): boolean {
  const { theme, language, colours, tour, bench, backend } = DEFAULT_STATE;
  return (
    encodeState({ ...state, theme, language, colours, tour, bench, backend }) ===
    encodeState(DEFAULT_STATE)
  );
}

function viewOf(picture: FirstPicture): PrecomputedView {
  return {
    ...picture,
    weights: fromSteps(picture.weights),
    thumbnails: fromSteps(picture.thumbnails),
    source: { ...NO_STRIP, tokens: picture.sourceTokens },
    result: { ...NO_STRIP, tokens: picture.targetTokens },
  };
}
