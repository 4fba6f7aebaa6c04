import type { HeadscopeError, Model, Run, RunInput } from "../../headscope.js";
import { batch, tracked } from "../../signals.js";
import type { Comparison, ModelName } from "../../state/index.js";
import { downloadOf, NOTHING_YET, type Download } from "./download.js";
import { asFailure, isCrash, isExpected } from "./failures.js";
import type { ModelCache } from "./model-pool.js";

/** A second run. Two wishes with the same key are the same. */
export interface Wish {
  comparison: Comparison;
  key: string;
  model: ModelName;
  input: (model: Model) => RunInput;
}

/**
 * The run beside the one that is shown. It waits until that one is computed, and what happens to it is its own: a
 * failure, a download, a crash. The earlier run stays readable until the next one is there.
 */
export class OtherComputation {
  @tracked model: Model | null = null;
  @tracked run: Run | null = null;
  /** How often another run came. */
  @tracked revision = 0;
  @tracked failure: HeadscopeError | null = null;
  /** Null while nothing is fetched. */
  @tracked download: Download | null = null;
  /** Whether a run or a model is on its way. */
  @tracked busy = false;
  @tracked private wanted: string | null = null;
  @tracked private answered: string | null = null;
  private running: AbortController | null = null;
  private stopListening: () => void = () => undefined;

  constructor(private readonly models: ModelCache) {}

  /** Whether the run is the one that was wished for. */
  isFor(wish: Wish | null): boolean {
    return wish !== null && this.run !== null && this.answered === wish.key;
  }

  /** Computes a wish, unless it is the present one; null lets the run go. */
  want(wish: Wish | null): void {
    if (!wish) {
      this.clear();
      return;
    }
    // A model that was put away, or opened once more, took its runs with it.
    const gone =
      this.model !== null &&
      this.models.loaded(wish.model) !== this.model &&
      this.answered === wish.key;
    if (this.wanted === wish.key && !gone) return;
    void this.compute(wish);
  }

  /** Stops what is under way: the run that is shown comes first. */
  hold(): void {
    if (!this.busy) return;
    this.stop();
    this.wanted = this.answered;
  }

  /** Tries once more after a failure. */
  again(): void {
    this.wanted = null;
    this.failure = null;
  }

  /** Lets the run and its model go. */
  clear(): void {
    this.drop();
    this.models.keepOnlyFor(this, null);
  }

  private drop(): void {
    this.stopListening();
    this.stopListening = () => undefined;
    batch(() => {
      this.stop();
      this.run?.release();
      this.run = null;
      this.model = null;
      this.failure = null;
      this.wanted = null;
      this.answered = null;
    });
  }

  private stop(): void {
    this.running?.abort();
    this.running = null;
    this.busy = false;
    this.download = null;
  }

  private async compute(wish: Wish): Promise<void> {
    const running = new AbortController();
    batch(() => {
      this.stop();
      this.running = running;
      this.wanted = wish.key;
      this.failure = null;
      this.busy = true;
    });
    this.models.keepFor(this, wish.model);
    try {
      const model = await this.take(wish.model, running);
      if (this.running !== running) return;
      this.download = null;
      const run = await model.run(wish.input(model), { signal: running.signal });
      if (this.running === running) this.show(wish, model, run);
      else run.release();
    } catch (thrown) {
      if (this.running !== running) return;
      // A thread that died under another run is started again, and so is this one.
      batch(() => {
        if (isExpected(thrown) && !isCrash(thrown)) this.wanted = null;
        else this.failure = asFailure(thrown);
        this.stop();
      });
    }
  }

  private show(wish: Wish, model: Model, run: Run): void {
    if (this.model !== model) this.listen(model);
    batch(() => {
      this.run?.release();
      this.run = run;
      this.model = model;
      this.answered = wish.key;
      this.revision += 1;
      this.stop();
    });
    // The model before was kept for as long as its run could be read.
    this.models.keepOnlyFor(this, wish.model);
  }

  private listen(model: Model): void {
    this.stopListening();
    this.stopListening = model.onRestart(() => {
      // A run that crashed by itself would crash again.
      if (!this.failure) this.drop();
    });
  }

  private async take(name: ModelName, running: AbortController): Promise<Model> {
    const loaded = this.models.loaded(name);
    if (loaded) return loaded;
    const added = downloadOf(name);
    const hear = (download: Download): void => {
      if (this.running === running) this.download = download;
    };
    hear(NOTHING_YET);
    return this.models.load(name, {
      signal: running.signal,
      onProgress: (progress) => hear(added(progress)),
    });
  }
}
