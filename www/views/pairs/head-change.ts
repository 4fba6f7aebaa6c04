import type { HeadRef, Tensor } from "../../data/index.js";
import { Kept } from "../../elements/shared/kept.js";
import type { Run } from "../../headscope.js";
import { nameOfHead } from "../../state/index.js";
import { firstFailure } from "../run/failures.js";
import type { HeadFigures } from "../run/figures.js";
import { Loader } from "../run/loader.js";

/** A head's weights without the edits and with them, on the same tokens. */
export interface HeadChange {
  before: Tensor;
  after: Tensor;
}

interface WeightsOf {
  run: Run;
  head: HeadRef;
  weights: Tensor;
}

/** What edits made of the weights of the head that is shown. Of neither run more is read than that takes. */
export class HeadChanges {
  value: HeadChange | null = null;
  private readonly before: Loader<WeightsOf>;
  /** Where a GPU paints the head: its numbers are not at hand. */
  private readonly after: Loader<WeightsOf>;
  private readonly kept = new Kept<HeadChange>();

  constructor(changed: () => void) {
    this.before = new Loader(changed);
    this.after = new Loader(changed);
  }

  get failure(): unknown {
    return firstFailure(this.loaders);
  }

  get loading(): boolean {
    return this.loaders.some(({ loading }) => loading);
  }

  forgive(): void {
    for (const loader of this.loaders) loader.forgive();
  }

  clear(): void {
    for (const loader of this.loaders) loader.clear();
    this.value = null;
  }

  /** Reads what a head was in another run; the revisions change with either run. */
  want(
    { run, head, stages, painted }: HeadFigures,
    revision: number,
    original: Run,
    originalRevision: number,
  ): void {
    const name = nameOfHead(head);
    this.before.want(`${originalRevision} ${name}`, () => weightsOf(original, head));
    if (painted) this.after.want(`${revision} ${name}`, () => weightsOf(run, head));
    else this.after.clear();
    const before = this.before.value;
    const after = painted ? this.after.value : { run, head, weights: stages.weights };
    if (before?.run !== original) this.value = null;
    // While either is read, what is shown stays that of one head.
    else if (after?.run === run && nameOfHead(after.head) === nameOfHead(before.head))
      this.value = this.kept.get([before, after.weights], () => ({
        before: before.weights,
        after: after.weights,
      }));
  }

  private get loaders(): readonly Loader<WeightsOf>[] {
    return [this.before, this.after];
  }
}

async function weightsOf(run: Run, head: HeadRef): Promise<WeightsOf> {
  return { run, head, weights: await run.attention(head) };
}
