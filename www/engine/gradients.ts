/**
 * Answers about the gradients of a run. They are computed in a thread of their own, whose wasm file
 * records the operations of a run: it loads the model again from the files that the client holds,
 * and repeats the run that is asked about.
 */

import type { GradientQuestion, RunRequest } from "../data/index.js";
import type { Channel, Client } from "./client.js";
import type { RunState } from "./protocol.js";

/** What a run was computed from. */
export interface RunSource {
  request: RunRequest;
  /** Whether the model has an encoder beside its decoder. */
  translates: boolean;
  /** The numbers of the image that it read, if it read one. */
  pixels: () => Promise<Float32Array | undefined>;
}

/** A run, as far as it is computed. */
export interface SoFar {
  source: RunSource;
  /** The state of the run, which is another object once its text has grown. */
  state: RunState;
}

/** A run in the thread that records. */
interface Recorded {
  channel: Channel;
  number: number;
}

/** The most runs that are held: one, and another one that it is compared with. */
const MOST_RUNS = 2;

export class GradientCore {
  /** The runs that are held, each by its state, the newest at the end. */
  readonly #runs = new Map<RunState, Promise<Recorded>>();
  #begun = 0;

  private constructor(private readonly client: Client) {}

  /**
   * Opens the thread beside that of a model.
   * @throws input/unsupported-option for a model whose weights are bytes, and the errors of a load
   */
  static async open(client: Client): Promise<GradientCore> {
    return new GradientCore(await client.beside("gradients"));
  }

  /**
   * Answers a question about a run, and perhaps another one.
   * @throws `selection/*`, edit/unsupported, output/unavailable, engine/crashed
   */
  async ask(question: GradientQuestion, run: SoFar, other?: SoFar): Promise<object> {
    const { channel, number } = await this.#recorded(run);
    const second = other && (await this.#recorded(other));
    const query = second ? { ...question, other: second.number } : question;
    return channel.send("query", { run: number, query });
  }

  /** Releases a run that is no longer asked. */
  forget({ state }: Pick<SoFar, "state">): void {
    const run = this.#runs.get(state);
    this.#runs.delete(state);
    run?.then(
      ({ channel, number }) => channel.release(number),
      () => undefined,
    );
  }

  dispose(): void {
    this.client.dispose();
  }

  async #recorded(run: SoFar): Promise<Recorded> {
    const { state } = run;
    const channel = await this.client.open();
    const known = this.#runs.get(state);
    // A run of a thread that crashed is computed again.
    if (known !== undefined && (await known.catch(() => null))?.channel === channel) return known;
    const recorded = this.#begin(channel, run);
    this.#runs.delete(state);
    this.#runs.set(state, recorded);
    const [oldest] = this.#runs.keys();
    if (oldest !== undefined && this.#runs.size > MOST_RUNS) this.forget({ state: oldest });
    return recorded;
  }

  async #begin(channel: Channel, { source, state }: SoFar): Promise<Recorded> {
    const run = ++this.#begun;
    const request = repeated(source, state);
    const pixels = await source.pixels();
    try {
      // Aside: no later run takes over rows, whose operations would then not be recorded.
      await channel.send("begin", { run, request, isAside: true, ...(pixels && { pixels }) });
      return { channel, number: run };
    } catch (thrown) {
      channel.release(run);
      throw thrown;
    }
  }
}

/** The request of a run without a continuation, whose text is what the run has read and written. */
function repeated(
  { request: { generate, ...request }, translates }: RunSource,
  { targetIds }: RunState,
): RunRequest {
  if (generate === undefined) return request;
  if (translates) return { ...request, targetIds };
  const { attentionMask, tokenTypeIds } = request;
  const grown = (list: number[], value: number): number[] => [
    ...list,
    ...new Array<number>(targetIds.length - list.length).fill(value),
  ];
  // A written token is real, and of the first kind.
  return {
    ...request,
    ids: targetIds,
    ...(attentionMask && { attentionMask: grown(attentionMask, 1) }),
    ...(tokenTypeIds && { tokenTypeIds: grown(tokenTypeIds, 0) }),
  };
}
