/** A run as a figure in another page shows it: read as an explorer reads it, as far as it asks. */
import type { Model, Run } from "../../headscope.js";
import { effect, type Resource, tracked } from "../../signals.js";
import type { State } from "../../state/index.js";
import { asFailure } from "./failures.js";
import { type Hover, NO_HOVER } from "./pointing.js";
import { RunView } from "./run-view.js";

/** What is read of one run for one figure, whose State may change. */
export class FigureView extends RunView {
  @tracked state: State;
  readonly computation: RunView["computation"];
  /** What is pointed at stays in the figure. */
  readonly hover: Hover = NO_HOVER;

  constructor(
    readonly model: Model,
    readonly run: Run,
    state: State,
  ) {
    super();
    this.computation = { model, run, revision: 0, sourceRevision: 0, restarts: 0 };
    this.state = state;
  }

  /**
   * Reads what some resources name, and what follows from that among them.
   *
   * @throws HeadscopeError why one of them could not be read.
   */
  async read(resources: readonly Resource<unknown>[]): Promise<void> {
    this.reads.retry();
    const stops = this.reads.follow(resources);
    // What was read may be what another resource waits for.
    do await becomeIdle(resources);
    while (resources.some(({ loading }) => loading));
    for (const stop of stops) stop();
    for (const { failure } of resources) if (failure !== null) throw asFailure(failure);
  }
}

/** Done as soon as none of the resources is being read. */
function becomeIdle(resources: readonly Resource<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (resources.some(({ loading }) => loading)) return;
      queueMicrotask(() => {
        stop();
        resolve();
      });
    });
  });
}
