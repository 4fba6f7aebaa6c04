/** The runs of the figures of a page: equal requests to a model share one run. */
import { Pool } from "../engine/pool.js";
import type { Backend, Model, Run, RunInput } from "../headscope.js";
import { addressOf } from "../session/models/addresses.js";
import { BackendChoice } from "../session/models/backend-choice.js";
import { pageHome } from "../session/models/home.js";
import { models } from "../session/models/model-pool.js";
import { inputOf } from "../session/run/computation.js";
import { ShownImage } from "../session/run/shown-image.js";
import type { State } from "../state/index.js";

/** A run, with the use of its model that it belongs to. */
interface SharedRun {
  run: Run;
  model: Model;
}

/** The runs; figures with the same input of a model share one, which no figure ends for others. */
const runs = new Pool<SharedRun>(({ run, model }) => {
  run.release();
  model.dispose();
});
/**
 * The GPU, for figures that ask for it: if there is none, or after it failed, the CPU computes
 * them.
 */
const gpu = new BackendChoice();
gpu.follow("webgpu");

/**
 * A use of a model, shared by all figures and explorers that name it, and of a run, for as long as
 * a figure needs them.
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
      const shared = runs.take(key, async (signal) => {
        const own = await load(address, { signal });
        try {
          return { run: await own.run(input, { signal }), model: own };
        } catch (thrown) {
          own.dispose();
          throw thrown;
        }
      });
      this.atEnd(() => shared.release());
      model.onRestart(() => {
        // The engine's runs are lost.
        shared.forget();
        restarted();
      });
      return shared.value.then(({ run }) => run);
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

/** The image of figures that work alone: models of images read the sample. */
const SAMPLE = new ShownImage();

/**
 * Begins the run that a State asks for. `restarted` is called if the engine crashed and runs again.
 */
export function runOf(state: State, restarted: () => void): RunLease {
  const ask = (model: Model): RunInput => inputOf(state, model, SAMPLE);
  return new RunLease(addressOf(state.model, pageHome()), ask, restarted, state.backend);
}
