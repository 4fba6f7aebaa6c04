/**
 * A run as a figure in another page shows it: read like an explorer's run, but only what the figure
 * needs.
 */
import type { Model, Run } from "../../headscope.js";
import { currentLocale } from "../../i18n/index.js";
import { effect, type Resource, tracked, WITHIN } from "../../signals.js";
import type { State } from "../../state/index.js";
import { asFailure } from "./failures.js";
import { type Hover, NO_HOVER } from "./pointing.js";
import { RunView } from "./run-view.js";

/** The readings of one run for one figure, whose State may change. */
export class FigureView extends RunView {
  @tracked state: State;
  readonly computation: RunView["computation"];
  /** The hover of a page, which stays empty because a figure handles its own. */
  readonly hover: Hover = NO_HOVER;
  /** A figure shows its run once it is complete. */
  readonly writing = false;

  constructor(
    readonly model: Model,
    readonly run: Run,
    state: State,
  ) {
    super();
    this.computation = { model, run, revision: 0, sourceRevision: 0, restarts: 0 };
    this.state = state;
  }

  /** Derived values are in the language of the figure, and follow it. */
  [WITHIN]<Result>(act: () => Result): Result {
    return currentLocale().within(act);
  }

  /**
   * Reads some resources, also those that depend on others of them.
   *
   * @throws HeadscopeError the failure of one of them
   */
  async read(resources: readonly Resource<unknown>[]): Promise<void> {
    this.reads.retry();
    const stops = this.reads.follow(resources);
    // A resource may wait for the value of another one.
    do await becomeIdle(resources);
    while (resources.some(({ loading }) => loading));
    for (const stop of stops) stop();
    for (const { failure } of resources) if (failure !== null) throw asFailure(failure);
  }
}

/** Resolves when none of the resources is being read. */
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
