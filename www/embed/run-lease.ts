/** The runs of the figures of a page: equal questions to a model share one. */
import type { Backend, Model, Run, RunInput } from "../headscope.js";
import { addressOf } from "../session/models/addresses.js";
import { BackendChoice } from "../session/models/backend-choice.js";
import { pageHome } from "../session/models/home.js";
import { models } from "../session/models/model-pool.js";
import { Pool } from "../session/models/pool.js";
import { inputOf } from "../session/run/computation.js";
import { ShownImage } from "../session/run/shown-image.js";
import type { State } from "../state/index.js";

/** Figures that ask a model for the same input share the run. */
const runs = new Pool<Run>((run) => run.release());
/** Once there is no GPU, or it failed, the CPU computes what asks for a GPU. */
const gpu = new BackendChoice();
gpu.follow("webgpu");

/**
 * A model, shared by all figures and explorers that name it, and a run of it, for as long as a
 * figure needs them.
 */
export class RunLease {
  readonly model: Promise<Model>;
  readonly run: Promise<Run>;
  private readonly ending = new AbortController();

  /**
   * Runs the model at an address on the input of `ask`. `restarted` is called if the engine crashed
   * and runs again.
   */
  constructor(
    address: string,
    ask: (model: Model) => RunInput,
    private readonly restarted: () => void,
    private readonly backend: Backend = "cpu",
  ) {
    const load = backend === "cpu" ? models.load : gpu.on(models.load);
    this.model = load(address, { signal: this.ending.signal });
    this.run = this.model.then((model) => {
      const input = ask(model);
      const key = JSON.stringify([address, model.info.backend, input]);
      const shared = runs.take(key, (signal) => model.run(input, { signal }));
      this.atEnd(shared.release);
      model.onRestart(() => {
        // The engine's runs are lost.
        shared.forget();
        restarted();
      });
      return shared.value;
    });
    this.run.catch(() => undefined);
    const dispose = (model: Model): void => model.dispose();
    this.atEnd(() => void this.model.then(dispose, () => undefined));
  }

  beside(address: string, ask: (model: Model) => RunInput): RunLease {
    const other = new RunLease(address, ask, this.restarted, this.backend);
    this.atEnd(other.release);
    return other;
  }

  readonly release = (): void => this.ending.abort();

  private atEnd(act: () => void): void {
    const { signal } = this.ending;
    if (signal.aborted) act();
    else signal.addEventListener("abort", act, { once: true });
  }
}

/** Figures that work alone show models of images with the sample. */
const SAMPLE = new ShownImage();

/**
 * Begins the run that a State asks for. `restarted` is called if the engine crashed and runs again.
 */
export function runOf(state: State, restarted: () => void): RunLease {
  const ask = (model: Model): RunInput => inputOf(state, model, SAMPLE);
  return new RunLease(addressOf(state.model, pageHome()), ask, restarted, state.backend);
}
