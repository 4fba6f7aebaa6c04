import { HeadscopeError, type Backend, type Model, type Run, type RunInput } from "../headscope.js";
import { type Lease, type ModelPool, models, Pool } from "../views/run/model-cache.js";
import { isGpuMatter } from "../views/run/backend-choice.js";

/** What of a model is asked for. */
export type Ask = (model: Model) => RunInput;

/** A model and a run of it for as long as a figure needs them. */
export interface RunLease {
  readonly model: Promise<Model>;
  readonly run: Promise<Run>;
  /** Asks once more, of the same model or another one, where this one computes, until this one is released. */
  beside: (address: string, ask: Ask) => Pick<RunLease, "model" | "run">;
  release: () => void;
}

/**
 * The runs of a page's figures: those that name the same model share it, with each other and with an explorer, and with
 * it one worker; those that ask for the same input share the run.
 */
export class SharedRuns {
  private readonly runs = new Pool<Run>((run) => run.release());
  /** How often the engine of a model was started again: what it had computed before is lost. */
  private readonly restarts = new WeakMap<Model, number>();
  /** Whether a GPU that was asked for is not there or failed: the figures do not ask for it again. */
  private hasLeftGpu = false;

  constructor(private readonly pool: ModelPool = models) {}

  /** Runs a model, named by its address. `restarted` is called if the engine crashed and runs again. Where there is no GPU, or it fails, the CPU computes. */
  take(address: string, ask: Ask, restarted: () => void, backend: Backend = "cpu"): RunLease {
    const lease = this.model(address, backend);
    /** What is given up with the lease, or at once where that is over. */
    const held: (() => void)[] = [lease.release];
    let released = false;
    const hold = (giveUp: () => void): void => {
      if (released) giveUp();
      else held.push(giveUp);
    };
    const run = lease.value.then((model) => {
      this.count(model);
      const input = ask(model);
      const key = JSON.stringify([address, model.info.backend, this.restarts.get(model), input]);
      const shared = this.runs.take(key, (signal) =>
        model.run(input, { signal }).catch((thrown: unknown) => {
          // Nothing computes here any more: another try begins with the model's files.
          if (thrown instanceof HeadscopeError && thrown.code === "engine/not-restarted")
            lease.forget();
          throw thrown;
        }),
      );
      hold(shared.release);
      hold(model.onRestart(restarted));
      return shared.value;
    });
    const beside = (otherAddress: string, otherAsk: Ask): RunLease => {
      const other = this.take(otherAddress, otherAsk, restarted, backend);
      hold(other.release);
      return other;
    };
    const release = (): void => {
      released = true;
      for (const giveUp of held.splice(0).reverse()) giveUp();
    };
    return { model: lease.value, run, beside, release };
  }

  private model(address: string, backend: Backend): Lease<Model> {
    if (backend === "cpu" || this.hasLeftGpu) return this.pool.take(address);
    let held = this.pool.take(address, undefined, backend);
    let released = false;
    const value = held.value.catch((thrown: unknown) => {
      if (released || !isGpuMatter(thrown)) throw thrown;
      this.hasLeftGpu = true;
      held.release();
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

/** Those of this page. */
export const sharedRuns = new SharedRuns();
