import type { ModelInfo, RunRequest, Tensor } from "../../data/index.js";
import { refuse } from "../errors.js";
import type {
  Build,
  Query,
  QueryLexicon,
  StepState,
  WasmAnswer,
  WasmDemos,
  WasmGradients,
  WasmModel,
  WasmModule,
  WasmRun,
} from "../protocol.js";

/** The requests to the fake engine, for tests to inspect. */
export interface Log {
  /** Which files with a door for models were asked for. */
  builds: Build[];
  /** How often the demos' file was asked for. */
  demos: number;
  loaded: number;
  /** The image config of the fake model, with images of 1 pixel; null for a model of texts. */
  image: ModelInfo["image"];
  preprocessors: (string | undefined)[];
  /** How many images were processed. */
  processed: number;
  begun: RunRequest[];
  previous: (FakeRun | undefined)[];
  freed: FakeRun[];
  answersFreed: number;
  /** How many words had been written whenever the engine left the processor to the page. */
  restedAt: number[];
  /** What a step or an answer of a run waits for. */
  gate?: (work: "step" | "answer", firstId: number) => Promise<void>;
}

export const emptyLog = (): Log => ({
  builds: [],
  demos: 0,
  loaded: 0,
  image: null,
  preprocessors: [],
  processed: 0,
  begun: [],
  previous: [],
  freed: [],
  answersFreed: 0,
  restedAt: [],
});

const STACK = { layers: 2, heads: 4, kvHeads: 4, headDim: 8 };

export const INFO: ModelInfo = {
  family: "marian",
  architecture: "encoder-decoder",
  stacks: { encoder: { ...STACK, layers: 3 }, decoder: STACK, cross: STACK },
  dModel: 32,
  vocabSize: 100,
  image: null,
  maxTokens: 16,
  positions: "sinusoidal",
  norm: "post",
  activation: "relu",
  gated: false,
  usualScores: true,
  parameters: { total: 6, embedding: 1, encoder: 1, decoder: 1, cross: 1, output: 2 },
  tokenTypes: 0,
  predicts: true,
  missingHead: null,
  startToken: 0,
  endTokens: [1],
  padToken: 0,
  maskToken: null,
  adapter: null,
  gpuFailure: null,
  backend: "cpu",
  kernel: "fake",
  warnings: [],
};

/**
 * A wasm package without wasm: runs take `STEPS` steps and write one token in each but the first.
 */
export function fakeWasm(log: Log, build: Build): WasmModule {
  log.builds.push(build);
  const load = (config = "{}"): Promise<WasmModel> => {
    if (config === "trap") trap();
    log.loaded += 1;
    return Promise.resolve(fakeModel(log, build));
  };
  return { default: () => Promise.resolve(), WasmModel: { load } };
}

/**
 * Training without wasm: the loss of a step is its number, with the first id behind the point, and
 * the weights are that number; a state is the number of steps.
 */
export function fakeGradients(log: Log): WasmGradients {
  const load: WasmGradients["WasmTrainer"]["load"] = (config, _weights, settings, state) => {
    if (settings.learningRate <= 0)
      throw refuse("input/out-of-range", "the setting learningRate", "a number above 0", "0");
    let step = state?.[0] ?? 0;
    return Promise.resolve({
      step: ({ examples: [example] }) => {
        if (example?.ids[0] === TRAP) trap();
        step += 1;
        const loss = step + (example?.ids[0] ?? 0) / 10;
        return Promise.resolve({ step, loss, accuracy: 0, gradientNorm: 1, partNorms: [] });
      },
      evaluate: ({ examples }) => Promise.resolve({ loss: examples.length, accuracy: 1 }),
      weights: () => Uint8Array.of(step, config.length),
      state: () => Uint8Array.of(step),
      free: () => undefined,
    });
  };
  return { ...fakeWasm(log, "gradients"), WasmTrainer: { load } };
}

/** Demos without wasm: they answer waves, and trap at one length. */
export function fakeDemoCore(log: Log): WasmDemos {
  log.demos += 1;
  return {
    default: () => Promise.resolve(),
    demo: (question) => {
      if (question.what !== "waves")
        throw refuse("input/malformed", "the question", "waves", question.what);
      const { length, dim, base } = question;
      if (length === TRAP) trap();
      return { table: [length, dim, base], wavelengths: [], products: [] };
    },
  };
}

function fakeModel(log: Log, build: Build): WasmModel {
  const begin = (request: RunRequest, previous?: WasmRun): FakeRun => {
    const bad = request.ids.find((id) => !Number.isInteger(id) || id < 0 || id >= INFO.vocabSize);
    if (bad !== undefined)
      throw refuse("input/bad-id", "the token ids", "ids below 100", String(bad));
    log.begun.push(request);
    log.previous.push(previous instanceof FakeRun ? previous : undefined);
    return new FakeRun(request, log, build);
  };
  return {
    info: () => ({ ...INFO, image: log.image, metadata: null }),
    readPreprocessor: (json) => log.preprocessors.push(json),
    preprocess: (height, width, data) => {
      log.processed += 1;
      if (data[0] === UNREADABLE) throw refuse("input/bad-image", "the image", "another", "this");
      return { height, width, data, pixels: Float32Array.from(data) };
    },
    query: (question) => ({
      step: () =>
        Promise.resolve(
          question.what === "tokenPairs"
            ? [{ from: 3, to: 4, value: 1 }]
            : tensor([question.what === "weights" ? question.part.length : 0, 0, 0, 0]),
        ),
      free: () => {
        log.answersFreed += 1;
      },
    }),
    begin: (request) => begin(request),
    beginAfter: begin,
    free: () => undefined,
  };
}

/** An image that begins with this byte is refused. */
export const UNREADABLE = 13;

const STEPS = 4;

/** The id at which the engine traps in its second step: a run of [7]. */
const TRAP = 7;
/** The id of a run that the GPU backend refuses as too large: [6]. */
export const GPU_REFUSES = 6;
/** The ids [9] are never answered, as by a GPU that hangs. */
export const GPU_HANGS = 9;

export class FakeRun implements WasmRun {
  #steps = 0;

  constructor(
    readonly request: RunRequest,
    private readonly log: Log,
    private readonly build: Build,
  ) {}

  async step(): Promise<StepState> {
    const { ids } = this.request;
    await this.log.gate?.("step", ids[0] ?? 0);
    this.#steps += 1;
    if (ids[0] === TRAP && this.#steps === 2) trap();
    if (ids[0] === GPU_REFUSES)
      throw refuse("gpu/unavailable", "the GPU", "a device that takes this work", "a lost one");
    if (ids[0] === GPU_HANGS) await new Promise(() => undefined);
    const chosen = 10 + this.#steps;
    const probability = 0.75;
    const logProbability = Math.log(0.75);
    const step = this.#steps - 2;
    const finished = this.#steps === STEPS;
    const token = { id: chosen, logit: 2, probability };
    const candidates = [token];
    const choice = { chosen, probability, logProbability, candidates, stages: [], draw: null };
    const searches = this.request.generate?.num_beams !== undefined;
    const sum = logProbability * (step + 1);
    const parent = step === 0 ? null : step - 1;
    const branch = { id: step, parent, token, logProbability, sum, fate: "kept" as const };
    const written = [chosen - 1, chosen];
    const hypothesis = { branch: step, ids: written, sum, score: sum / 2, rankBySum: 0 };
    return {
      done: this.#steps,
      total: STEPS,
      at: this.#steps === STEPS ? null : { stack: "encoder", layer: this.#steps - 1 },
      finished,
      sourceReady: true,
      generated: step < 0 || searches ? [] : [{ step, ...choice }],
      branches: step < 0 || !searches ? [] : [[branch]],
      hypotheses: finished && searches ? [hypothesis] : [],
      ids,
      targetIds: [0, ...Array.from({ length: this.#steps - 1 }, (_, at) => 12 + at)],
      executed: { blocks: this.#steps, reusedBlocks: 0, reusedTokens: 0 },
      onCpu: this.build === "webgpu" ? [{ stack: "encoder", layer: 1 }] : [],
    };
  }

  /**
   * Answers a query. A spectrum takes one step more than its layer's number; attention of layer 0
   * is answered late.
   */
  query(
    query: Query,
    other: WasmRun,
    special?: Uint32Array,
    unigrams?: Float64Array | null,
  ): WasmAnswer {
    const lexicon = special && { special, unigrams: unigrams ?? null };
    const { what, layer } = query as Query & { layer: number };
    if (layer >= STEPS && what === "attention")
      throw refuse("selection/bad-layer", "the layer", "a number up to 2", String(layer));
    let left = what === "spectrum" ? layer : 0;
    return {
      step: async () => {
        await this.log.gate?.("answer", this.request.ids[0] ?? 0);
        if (what === "attention" && layer === 0)
          await new Promise((resolve) => setTimeout(resolve, 10));
        left -= 1;
        if (what === "gradient") return [tensor(this.request.ids), ...otherIds(query, other)];
        return left < 0 ? answerTo(query, other, lexicon) : undefined;
      },
      free: () => {
        this.log.answersFreed += 1;
      },
    };
  }

  free(): void {
    this.log.freed.push(this);
  }
}

/** An answer from which a caller can recognise its query. */
function answerTo(query: Query, other: WasmRun, lexicon?: QueryLexicon): object {
  const { layer, head, stage } = query as unknown as {
    layer: number;
    head: number;
    stage?: string;
  };
  switch (query.what) {
    case "attention":
      return tensor([layer, head, (stage ?? "weights") === "weights" ? 1 : 0, 0]);
    case "fullyMasked":
      return [1];
    case "measures":
      return [{ previous: lexicon?.special.length, rare: lexicon?.unigrams?.length ?? null }];
    case "cosines":
      return other instanceof FakeRun ? other.request.ids : [];
    default:
      return tensor([layer, 0, 0, 0]);
  }
}

/** The ids of the other run that a question names, as an answer. */
function otherIds(query: Query, other: WasmRun): Tensor[] {
  return "other" in query && other instanceof FakeRun ? [tensor(other.request.ids)] : [];
}

function tensor(values: number[]): Tensor {
  return { data: Float32Array.from(values), shape: [2, 2], axes: ["query", "key"] };
}

/** The smallest module that traps: () -> () { unreachable }, exported as "t". */
export const TRAP_MODULE = Uint8Array.from(
  atob("AGFzbQEAAAABBAFgAAADAgEABwUBAXQAAAoFAQMAAAs="),
  (byte) => byte.charCodeAt(0),
);

/** Throws the error of a wasm trap. */
function trap(): never {
  const { t } = new WebAssembly.Instance(new WebAssembly.Module(TRAP_MODULE)).exports;
  (t as () => void)();
  throw new Error("wasm did not trap");
}
