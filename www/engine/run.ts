import type { Executed, HeadRef, Part, Prediction, Stack, Stage, Tensor, Token } from "../data/index.js";
import type { Client } from "./client.js";
import type { Run, RunProgress } from "./contract.js";
import type { RunState } from "./protocol.js";
import type { Vocabulary } from "./vocabulary.js";

/** A safety net for runs that nobody released. */
const forgotten = new FinalizationRegistry<() => void>((release) => release());

/** A run in the engine's thread, read from here. */
export class EngineRun implements Run {
  readonly tokens: Token[];
  readonly #client: Client;
  readonly #epoch: number;
  readonly #name: number;
  readonly #vocabulary: Vocabulary;
  #state: RunState;
  #targetTokens: Token[] | null = null;
  #written = 0;

  constructor(client: Client, name: number, vocabulary: Vocabulary, tokens: Token[] | null, state: RunState) {
    this.#client = client;
    this.#epoch = client.epoch;
    this.#name = name;
    this.#vocabulary = vocabulary;
    this.#state = state;
    this.tokens = tokens ?? vocabulary.tokens(state.ids);
    const epoch = this.#epoch;
    forgotten.register(this, () => client.release(epoch, name), this);
  }

  get targetTokens(): Token[] {
    this.#targetTokens ??= this.#vocabulary.targetTokens(this.#state.targetIds);
    return this.#targetTokens;
  }

  get targetText(): string {
    return this.#vocabulary.decode(this.#state.targetIds);
  }

  /** Takes in how far the engine has come. */
  advance(state: RunState): RunProgress {
    this.#written += state.generated.length;
    if (state.targetIds.length !== this.#state.targetIds.length) this.#targetTokens = null;
    this.#state = state;
    const { done, total, sourceReady, finished } = state;
    return { done, total, sourceReady, finished, generated: this.#written };
  }

  attention({ stack, layer, head, stage = "weights" }: HeadRef & { stage?: Stage }): Promise<Tensor> {
    return this.#client.read(this.#epoch, this.#name, "attention", { stack, layer, head, stage });
  }

  mask({ stack, layer, head }: HeadRef): Promise<Tensor> {
    return this.#client.read(this.#epoch, this.#name, "mask", { stack, layer, head });
  }

  fullyMasked({ stack, layer, head }: HeadRef): Promise<number[]> {
    return this.#client.read(this.#epoch, this.#name, "fullyMasked", { stack, layer, head });
  }

  qkv({ stack, layer, head, part }: HeadRef & { part: Part }): Promise<Tensor> {
    return this.#client.read(this.#epoch, this.#name, "qkv", { stack, layer, head, part });
  }

  hidden({ stack, layer }: { stack: "encoder" | "decoder"; layer: number }): Promise<Tensor> {
    return this.#client.read(this.#epoch, this.#name, "hidden", { stack, layer });
  }

  logits({ positions }: { positions?: number[] } = {}): Promise<Tensor> {
    return this.#client.read(this.#epoch, this.#name, "logits", { positions: positions ?? null });
  }

  async predictions({ positions, topK }: { positions: number[]; topK: number }): Promise<Prediction[][]> {
    const rows = await this.#client.read(this.#epoch, this.#name, "predictions", { positions, topK });
    return rows.map((row) => row.map((candidate) => ({ ...candidate, text: this.#vocabulary.text(candidate.id) })));
  }

  positions({ stack }: { stack: Stack }): Promise<Tensor> {
    return this.#client.read(this.#epoch, this.#name, "positions", { stack });
  }

  thumbnails({ stack, size, stage = "weights" }: { stack: Stack; size: number; stage?: Stage }): Promise<Tensor> {
    return this.#client.read(this.#epoch, this.#name, "thumbnails", { stack, size, stage });
  }

  executed(): Executed {
    return this.#state.executed;
  }

  release(): void {
    forgotten.unregister(this);
    this.#client.release(this.#epoch, this.#name);
  }
}
