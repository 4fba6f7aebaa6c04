import type {
  AttentionCost,
  BlockRef,
  DropoutMean,
  Explanation,
  HeadCost,
  HeadLikeness,
  HeadMeasures,
  ModelInfo,
  RoleScores,
  RunRequest,
  Step,
  StepReport,
  StreamDepth,
  Tensor,
  TokenProbability,
} from "../../data/index.js";
import type { WasmLab, WasmModel, WasmModule, WasmRun, WasmSpectrum, WasmSteps } from "../door.js";
import type { Engine } from "../engage.js";
import { refuse } from "../errors.js";
import { trap } from "./trap.js";

/** What the fake engine was asked, for tests to look at. */
export interface Log {
  /** Which files with a door for models were asked for. */
  engines: Engine[];
  /** How often the laboratories' file was asked for. */
  labs: number;
  loaded: number;
  begun: RunRequest[];
  previous: (FakeRun | undefined)[];
  freed: FakeRun[];
  spectraFreed: number;
  stepsFreed: number;
  /** How many words had been written whenever the engine left the processor to the page. */
  restedAt: number[];
}

export const INFO: ModelInfo = {
  family: "marian",
  architecture: "encoder-decoder",
  stacks: {
    encoder: { layers: 3, heads: 4, kvHeads: 4, headDim: 8 },
    decoder: { layers: 2, heads: 4, kvHeads: 4, headDim: 8 },
    cross: { layers: 2, heads: 4, kvHeads: 4, headDim: 8 },
  },
  dModel: 32,
  vocabSize: 100,
  maxTokens: 16,
  positions: "sinusoidal",
  norm: "post",
  activation: "relu",
  gated: false,
  parameters: { total: 6, embedding: 1, encoder: 1, decoder: 1, cross: 1, output: 2 },
  tokenTypes: 0,
  predicts: true,
  startToken: 0,
  endToken: 1,
  padToken: 0,
  maskToken: null,
  adapter: null,
  backend: "cpu",
  kernel: "fake",
  warnings: [],
};

/** A wasm package without wasm: runs take `STEPS` steps and write one token in each but the first. */
export function fakeWasm(log: Log, engine: Engine): WasmModule {
  log.engines.push(engine);
  return {
    default: () => Promise.resolve(),
    WasmModel: {
      load: (config) => {
        if (config === "trap") trap();
        log.loaded += 1;
        return Promise.resolve(fakeModel(log, engine));
      },
    },
  };
}

/** Laboratories without wasm: they know waves, and one length that traps. */
export function fakeLab(log: Log): WasmLab {
  log.labs += 1;
  return {
    default: () => Promise.resolve(),
    lab: (question) => {
      if (question.what !== "waves")
        throw refuse("input/malformed", "the question", "waves", question.what);
      const { length, dim, base } = question;
      if (length === TRAP) trap();
      if (length < 1)
        throw refuse(
          "input/out-of-range",
          "the number of positions",
          "a whole number from 1",
          String(length),
        );
      return { table: [length, dim, base], wavelengths: [], products: [] };
    },
  };
}

export function emptyLog(): Log {
  return {
    engines: [],
    labs: 0,
    loaded: 0,
    begun: [],
    previous: [],
    freed: [],
    spectraFreed: 0,
    stepsFreed: 0,
    restedAt: [],
  };
}

function fakeModel(log: Log, engine: Engine): WasmModel {
  const begin = (request: RunRequest, previous?: WasmRun): FakeRun => {
    const bad = request.ids.find((id) => !Number.isInteger(id) || id < 0 || id >= INFO.vocabSize);
    if (bad !== undefined)
      throw refuse("input/bad-id", "the token ids", "ids below 100", String(bad));
    log.begun.push(request);
    log.previous.push(previous instanceof FakeRun ? previous : undefined);
    return engine === "webgpu" ? new FakeGpuRun(request, log) : new FakeRun(request, log);
  };
  return {
    info: () => INFO,
    begin: (request) => begin(request),
    beginAfter: begin,
    free: () => undefined,
  };
}

const STEPS = 4;

/** The ids [7] make the engine trap in its second step. */
const TRAP = 7;

/** The ids [6] are more than a GPU takes, as its backend says. */
export const GPU_REFUSES = 6;

/** The ids [9] are never answered, as by a GPU that hangs. */
export const GPU_HANGS = 9;

export class FakeRun implements WasmRun {
  #steps = 0;

  constructor(
    readonly request: RunRequest,
    private readonly log: Log,
  ) {}

  step(): Promise<StepReport> {
    this.#steps += 1;
    if (this.request.ids[0] === TRAP && this.#steps === 2) trap();
    if (this.request.ids[0] === GPU_REFUSES)
      return Promise.reject(
        refuse("gpu/unavailable", "the GPU", "a device that takes this work", "a lost one"),
      );
    if (this.request.ids[0] === GPU_HANGS) return new Promise(() => undefined);
    const chosen = 10 + this.#steps;
    const candidates = [{ id: chosen, logit: 2, probability: 0.75 }];
    const generated =
      this.#steps === 1
        ? []
        : [
            {
              step: this.#steps - 2,
              chosen,
              probability: 0.75,
              logProbability: Math.log(0.75),
              candidates,
            },
          ];
    return Promise.resolve({
      done: this.#steps,
      total: STEPS,
      at: this.#steps === STEPS ? null : { stack: "encoder", layer: this.#steps - 1 },
      finished: this.#steps === STEPS,
      sourceReady: true,
      generated,
    });
  }

  ids(): Uint32Array {
    return Uint32Array.from(this.request.ids);
  }

  targetIds(): Uint32Array {
    return Uint32Array.from([0, ...Array.from({ length: this.#steps - 1 }, (_, at) => 12 + at)]);
  }

  /** Layer 0 answers late, so that answers cross. */
  async attention(stack: string, layer: number, head: number, stage: string): Promise<Tensor> {
    if (layer >= 3)
      throw refuse(
        "selection/bad-layer",
        `layer ${layer} of ${stack}`,
        "a layer from 0 to 2",
        String(layer),
      );
    if (layer === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return tensor([layer, head, stage === "weights" ? 1 : 0, 0], ["query", "key"]);
  }

  mask(): Tensor {
    return tensor([0, -Infinity, 0, 0], ["query", "key"]);
  }

  qkv(): Promise<Tensor> {
    return Promise.resolve(tensor([1, 2, 3, 4], ["position", "head_dim"]));
  }

  /** As glue does, it throws a bare TypeError at once for what cannot be made a number. */
  hidden(_stack: string, layer: number): Promise<Tensor> {
    return Promise.resolve(tensor([layer, 2, 3, 4], ["position", "model_dim"]));
  }

  logits(positions?: number[]): Promise<Tensor> {
    return Promise.resolve(tensor([positions?.length ?? -1, 0, 0, 0], ["position", "vocabulary"]));
  }

  predictions(positions: number[], topK: number): ReturnType<WasmRun["predictions"]> {
    return Promise.resolve(
      positions.map(() =>
        Array.from({ length: topK }, (_, id) => ({ id, logit: -id, probability: 1 / (id + 2) })),
      ),
    );
  }

  /** The later an entry, the less probable; beside it stands how many were asked for at once. */
  probabilities(positions: number[], ids: number[]): Promise<TokenProbability[]> {
    if (positions.length !== ids.length)
      throw refuse(
        "selection/bad-size",
        "the ids",
        `one for each of ${positions.length} positions`,
        String(ids.length),
      );
    return Promise.resolve(
      ids.map((id) => ({ probability: 1 / (id + 2), logProbability: -positions.length })),
    );
  }

  positions(): Promise<Tensor> {
    return Promise.resolve(tensor([0, 1, 0, 1], ["position", "model_dim"]));
  }

  thumbnails(): Promise<Tensor> {
    return Promise.resolve(tensor([0, 1, 0, 1], ["layer", "head", "query", "key"]));
  }

  cost(_stack: string, layer: number, lengths: number[]): AttentionCost[] {
    const site = (cells: number): AttentionCost["full"] => ({
      cells,
      multiplyAdds: 0,
      weightBytes: 0,
      vectorBytes: 0,
    });
    return lengths.map((tokens) => ({
      tokens,
      heads: 1,
      masked: site(layer),
      exact: true,
      full: site(tokens * tokens),
      layers: [],
    }));
  }

  fullyMasked(): Uint32Array {
    return Uint32Array.of(1);
  }

  /** Each head looks at the token before it as far as there are special tokens, at the rarest if counts are known. */
  measures(
    _stack: string,
    special: Uint32Array,
    unigrams: Float64Array | undefined,
  ): Promise<HeadMeasures[]> {
    const roles = { previous: special.length, rare: unigrams?.length ?? null } as RoleScores;
    return Promise.resolve([{ layer: 0, head: 0, entropy: 1, distance: 2, roles }]);
  }

  /** Each block's heads are as far away as the block, so that a caller sees which were asked for. */
  likeness(
    _stack: string,
    layer: number,
    head: number,
    among: number | undefined,
  ): Promise<HeadLikeness[]> {
    const of = among ?? -1;
    return Promise.resolve([{ layer: of, head, divergence: Math.abs(of - layer) }]);
  }

  /** Takes as many steps as the layer's number says, and one more. */
  spectrum(_stack: string, layer: number): Promise<WasmSpectrum> {
    let left = layer;
    const values = { values: [layer], rank90: 1 };
    return Promise.resolve({
      step: () => {
        left -= 1;
        return left < 0 ? { scores: values, weights: values } : undefined;
      },
      free: () => {
        this.log.spectraFreed += 1;
      },
    });
  }

  /** Takes as many steps as the layer's number says, and one more. */
  steps(_stack: string, layer: number, head: number): WasmSteps {
    let left = layer;
    return {
      step: () => {
        left -= 1;
        return Promise.resolve(
          left < 0
            ? [{ step: "input", tensor: tensor([layer, head, 0, 0], ["position", "model_dim"]) }]
            : undefined,
        );
      },
      free: () => {
        this.log.stepsFreed += 1;
      },
    };
  }

  explain(
    _stack: string,
    _layer: number,
    _head: number,
    _step: Step,
    row: number,
    column: number,
  ): Promise<Explanation> {
    return Promise.resolve({ operation: { kind: "add" }, lines: [], value: row * 10 + column });
  }

  /** How long both words are and where they begin in the ids, so that a caller sees what arrived. */
  cosines(
    _stack: string,
    positions: number[],
    other: WasmRun,
    otherPositions: number[],
  ): Promise<(number | null)[]> {
    return Promise.resolve([
      positions.length,
      otherPositions.length,
      other.ids()[otherPositions[0] ?? 0] ?? null,
    ]);
  }

  headCost(): Promise<HeadCost> {
    const exact = { largest: 0, relative: 0 };
    return Promise.resolve({
      kind: "softmax",
      implied: false,
      untrained: false,
      operations: 8,
      bytes: 16,
      exactOperations: 8,
      exactBytes: 16,
      pattern: exact,
      output: exact,
    });
  }

  dropoutMean(): Promise<DropoutMean> {
    return Promise.resolve({ draws: 2, mean: [1], undropped: [1], kept: [1] });
  }

  /** One depth, of the block that was asked for. */
  residuals(_stack: string, layer: number): Promise<StreamDepth[]> {
    return Promise.resolve([
      {
        layer,
        point: "feed-forward",
        mean: [0],
        deviation: [1],
        norm: [2],
        share: [0.5],
        similarity: [null],
      },
    ]);
  }

  /** How many tokens both runs have. */
  distances(_stack: string, other: WasmRun): Promise<Tensor> {
    return Promise.resolve(
      tensor([this.ids().length, other.ids().length, 0, 0], ["layer", "position"]),
    );
  }

  /** One head, of the block that was asked for. */
  divergences(_stack: string, _other: WasmRun, among = 0): Promise<HeadLikeness[]> {
    return Promise.resolve([{ layer: among, head: 0, divergence: 0.5 }]);
  }

  executed(): ReturnType<WasmRun["executed"]> {
    return { blocks: this.#steps, reusedBlocks: 0, reusedTokens: 0 };
  }

  free(): void {
    this.log.freed.push(this);
  }
}

/** One that leaves the second block of the encoder to the CPU. */
class FakeGpuRun extends FakeRun {
  onCpu(): BlockRef[] {
    return [{ stack: "encoder", layer: 1 }];
  }
}

function tensor(values: number[], axes: string[]): Tensor {
  return { data: Float32Array.from(values), shape: [2, 2], axes };
}
