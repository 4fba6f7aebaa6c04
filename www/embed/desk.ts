import { loadModel, type Model, type Run } from "../headscope.js";
import type { LoadModel } from "../views/run/shelf.js";
import { inputOf, type Request } from "../views/run/computation.js";
import { Pool } from "./pool.js";

/** A figure that moves within its page is gone for a moment, and a model takes long to load. */
const LINGER_MILLIS = 2000;

/** What a figure has been given to read. */
export interface Sitting {
  readonly model: Promise<Model>;
  readonly run: Promise<Run>;
  /** The figure reads no more. */
  leave: () => void;
}

/**
 * Where the figures of a page get their runs: those that name the same model share it, and with it one worker; those
 * that ask the same question share the run.
 */
export class Desk {
  private readonly models = new Pool<Model>((model) => model.dispose(), LINGER_MILLIS);
  private readonly runs = new Pool<Run>((run) => run.release());
  /** How often the engine of a model was started again: what it had computed before is lost. */
  private readonly restarts = new WeakMap<Model, number>();

  constructor(private readonly load: LoadModel = loadModel) {}

  /** Asks a model, named by its address. `restarted` is called if the engine crashed and runs again. */
  sit(address: string, request: Request, restarted: () => void): Sitting {
    const lease = this.models.take(address, (signal) => this.begin(address, signal));
    let left = false;
    let leaveRun: () => void = () => undefined;
    let stopListening: () => void = () => undefined;
    const run = lease.value.then((model) => {
      const input = inputOf(request, model);
      const key = JSON.stringify([address, this.restarts.get(model), input]);
      const shared = this.runs.take(key, (signal) => model.run(input, { signal }));
      leaveRun = shared.release;
      stopListening = model.onRestart(restarted);
      if (left) {
        leaveRun();
        stopListening();
      }
      return shared.value;
    });
    const leave = (): void => {
      left = true;
      leaveRun();
      stopListening();
      lease.release();
    };
    return { model: lease.value, run, leave };
  }

  private async begin(address: string, signal: AbortSignal): Promise<Model> {
    const model = await this.load(address, { signal });
    this.restarts.set(model, 0);
    model.onRestart(() => this.restarts.set(model, (this.restarts.get(model) ?? 0) + 1));
    return model;
  }
}

/** The one of this page. */
export const desk = new Desk();
