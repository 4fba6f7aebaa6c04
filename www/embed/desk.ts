import { HeadscopeError, type Backend, type Model, type Run, type RunInput } from "../headscope.js";
import { type Lease, type ModelPool, models, Pool } from "../views/run/model-pool.js";
import { isGpuMatter } from "../views/run/processor.js";

/** What of a model is asked for. */
export type Ask = (model: Model) => RunInput;

/** What a figure has been given to read. */
export interface Sitting {
  readonly model: Promise<Model>;
  readonly run: Promise<Run>;
  /** Asks once more, of the same model or another one, where this one computes, for as long as the figure reads. */
  beside: (address: string, ask: Ask) => Pick<Sitting, "model" | "run">;
  /** The figure reads no more. */
  leave: () => void;
}

/**
 * Where the figures of a page get their runs: those that name the same model share it, with each other and with an
 * explorer, and with it one worker; those that ask the same question share the run.
 */
export class Desk {
  private readonly runs = new Pool<Run>((run) => run.release());
  /** How often the engine of a model was started again: what it had computed before is lost. */
  private readonly restarts = new WeakMap<Model, number>();
  /** Whether a GPU that was asked for is not there or failed: the figures do not ask for it again. */
  private hasLeftGpu = false;

  constructor(private readonly pool: ModelPool = models) {}

  /** Asks a model, named by its address. `restarted` is called if the engine crashed and runs again. Where there is no GPU, or it fails, the CPU computes. */
  sit(address: string, ask: Ask, restarted: () => void, backend: Backend = "cpu"): Sitting {
    const lease = this.take(address, backend);
    const others: Sitting[] = [];
    let left = false;
    let leaveRun: () => void = () => undefined;
    let stopListening: () => void = () => undefined;
    const run = lease.value.then((model) => {
      this.count(model);
      const input = ask(model);
      const key = JSON.stringify([address, model.info.backend, this.restarts.get(model), input]);
      const shared = this.runs.take(key, (signal) =>
        model.run(input, { signal }).catch((thrown: unknown) => {
          // Nothing computes here any more: who tries again begins with the model's files.
          if (thrown instanceof HeadscopeError && thrown.code === "engine/not-restarted")
            lease.forget();
          throw thrown;
        }),
      );
      leaveRun = shared.release;
      stopListening = model.onRestart(restarted);
      if (left) {
        leaveRun();
        stopListening();
      }
      return shared.value;
    });
    const beside = (otherAddress: string, otherAsk: Ask): Sitting => {
      const sitting = this.sit(otherAddress, otherAsk, restarted, backend);
      if (left) sitting.leave();
      others.push(sitting);
      return sitting;
    };
    const leave = (): void => {
      left = true;
      for (const other of others) other.leave();
      leaveRun();
      stopListening();
      lease.release();
    };
    return { model: lease.value, run, beside, leave };
  }

  private take(address: string, backend: Backend): Lease<Model> {
    if (backend === "cpu" || this.hasLeftGpu) return this.pool.take(address);
    const gpu = this.pool.take(address, undefined, backend);
    let held = gpu;
    let released = false;
    const value = gpu.value.catch((thrown: unknown) => {
      if (released || !isGpuMatter(thrown)) throw thrown;
      this.hasLeftGpu = true;
      gpu.release();
      held = this.pool.take(address);
      return held.value;
    });
    const release = (): void => {
      released = true;
      held.release();
    };
    return { value, release, forget: () => held.forget() };
  }

  private count(model: Model): void {
    if (this.restarts.has(model)) return;
    this.restarts.set(model, 0);
    model.onRestart(({ leftGpu }) => {
      this.restarts.set(model, (this.restarts.get(model) ?? 0) + 1);
      this.hasLeftGpu ||= leftGpu;
    });
  }
}

/** The one of this page. */
export const desk = new Desk();
