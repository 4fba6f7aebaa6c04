/**
 * The text that a model goes on with: how far it is, how it grows in the State, and how fast. All
 * of its growth is one step of undo.
 */
import type { GenerationEvent } from "../../data/index.js";
import type { Model } from "../../headscope.js";
import { equals } from "../../data/equal.js";
import { batch, tracked } from "../../signals.js";
import { generateWith, type State, type Store } from "../../state/index.js";
import { tokenizerOf } from "./chat.js";
import { type Computation, type Pen, type Request, targetIdsOf } from "./computation.js";
import { additionsTo } from "./continuation.js";

/** The number of tokens that one press writes. */
export const PRESS_TOKENS = 20;

/** What a text ends with while the bytes of its last character are not complete. */
const PART = "\uFFFD";

/** A text that a model can go on with. */
export interface Given {
  model: Model;
  /** The text's place in the State: the text itself, or the user's own translation. */
  side: "text" | "target";
  ids: readonly number[];
  /** The number of tokens that still fit behind it. */
  room: number;
}

/**
 * The text that the session's model can go on with; null where it writes none: an encoder, an
 * image, and a translation that the model itself writes to its end.
 */
export function givenOf({
  state,
  computation,
}: {
  state: State;
  computation: Pick<Computation, "model" | "run">;
}): Given | null {
  const { model, run } = computation;
  if (!model || !run || !model.info.predicts) return null;
  const { architecture, maxTokens } = model.info;
  const given = (side: Given["side"], ids: readonly number[]): Given => {
    return { model, side, ids, room: maxTokens - ids.length };
  };
  if (architecture === "decoder")
    return given(
      "text",
      tokenizerOf(model, state)
        .tokenize(state.text)
        .map(({ id }) => id),
    );
  const ids = targetIdsOf(run, model.info);
  return state.target === null || ids === undefined ? null : given("target", ids);
}

/** A text that grows by the tokens that the model writes. */
export class GrowingText implements Pen {
  /** The number of tokens so far, without the one that ends the text. */
  @tracked count = 0;
  /** Whether the model ended the text. */
  @tracked ended = false;
  /** The tokens a second, from the first one to the last; null for fewer than two. */
  @tracked speed: number | null = null;
  /** The State that has the text so far, of whole characters, and the tokens of that text. */
  private now: Request;
  private ids: readonly number[];
  /** The text before the present run, its tokens, and those that the run wrote behind it. */
  private before = "";
  private base: readonly number[] = [];
  private fresh: number[] = [];
  private isGrown = false;
  private additionOf: ReturnType<typeof additionsTo> = () => "";
  private readonly arrivals: number[] = [];

  constructor(
    private readonly store: Store,
    private readonly given: Given,
  ) {
    this.now = store.state;
    this.ids = given.ids;
  }

  private get text(): string {
    return this.now[this.given.side] ?? "";
  }

  begin(request: Request): ReturnType<Pen["begin"]> {
    const { model, side, room } = this.given;
    this.now = request;
    this.before = this.text;
    this.base = this.ids;
    this.fresh = [];
    this.additionOf = additionsTo(model, this.ids, side === "target");
    // Tokens that arrived and are not in the text yet are written anew.
    this.arrivals.length = Math.min(this.arrivals.length, this.ids.length - this.given.ids.length);
    const left = Math.min(PRESS_TOKENS, room) - this.arrivals.length;
    return {
      generate: { ...generateWith(request.sampling), max_new_tokens: left },
      onToken: (event) => this.add(event),
    };
  }

  private add({ chosen: { id } }: GenerationEvent): void {
    const isEnd = this.given.model.info.endTokens.includes(id);
    if (!isEnd) this.fresh.push(id);
    this.arrivals.push(performance.now());
    batch(() => {
      this.ended = isEnd;
      this.count = this.arrivals.length - (isEnd ? 1 : 0);
      this.speed = tokensPerSecond(this.arrivals);
    });
  }

  wrote(request: Request): boolean {
    const { now } = this;
    return (["text", "chat", "target", "masked", "sampling"] as const).every((field) =>
      equals(request[field], now[field]),
    );
  }

  take(): void {
    const { side } = this.given;
    const added = this.additionOf(this.fresh, false);
    // The last bytes wait until their character is whole.
    if (added === "" || added.endsWith(PART) || this.before + added === this.text) return;
    this.ids = [...this.base, ...this.fresh];
    this.now = { ...this.now, [side]: this.before + added };
    if (this.isGrown) this.store.amend({ [side]: this.text });
    else this.store.step({ [side]: this.text });
    this.isGrown = true;
  }
}

/** The tokens a second, from the arrival of the first one to that of the last. */
export function tokensPerSecond(arrivals: readonly number[]): number | null {
  const millis = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
  return millis > 0 ? ((arrivals.length - 1) * 1000) / millis : null;
}
