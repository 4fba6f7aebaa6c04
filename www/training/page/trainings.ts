/**
 * The trainings that the page shows: one, or two side by side. They follow the settings of the
 * State; a training whose settings stay goes on.
 */
import type { Checkpoint } from "../checkpoints.js";
import type { Training, OpenTraining } from "../training.js";
import { hashOf } from "../random.js";
import { decodeSettings, type TrainingSettings } from "../settings.js";
import type { KeptTrainings } from "../storage.js";
import { type TaskKind, TASKS } from "../tasks/index.js";
import type { Kept } from "../training-run.js";

/** What separates the settings of two trainings in a link. */
export const BESIDE = ":";
/** The time between two storings of a training, so that a closed tab loses little. */
const STORE_MILLIS = 20_000;
/** The settings that decide the shape of a model or what it learns: a fork keeps them. */
const OF_MODEL = [
  "task",
  "length",
  "kind",
  "layers",
  "width",
  "heads",
  "positions",
  "norm",
  "place",
  "activation",
] as const satisfies readonly (keyof TrainingSettings)[];

/** Where a fork begins. */
interface Base {
  settings: TrainingSettings;
  kept: Kept;
}

export class Trainings {
  /** The trainings in the order of the State; empty while they are being opened. */
  shown: readonly Training[] = [];
  /** Why the settings cannot be trained; null if they can. */
  failure: unknown = null;
  /** The text of one's own that is learned, for a task that needs one, and its name in storage. */
  #own: { text: string; name: string } | null = null;
  /** The step of the first training where an earlier visit kept it; null if none did. */
  earlier: number | null = null;
  #text: string | null = null;
  #base: Base | null = null;
  #opening = 0;
  #stored = new Map<Training, { at: number; step: number }>();

  constructor(
    private readonly openTraining: OpenTraining,
    private readonly storage: KeptTrainings,
    private readonly changed: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get first(): Training | null {
    return this.shown[0] ?? null;
  }

  /** Whether any of the trainings takes steps now. */
  get isTraining(): boolean {
    return this.shown.some(({ run }) => run.isTraining);
  }

  /**
   * Follows the settings of the State. A training that an earlier visit kept is shown as it was,
   * unless `anew`; any other trains at once if `starts`.
   */
  async open(text: string, { starts, anew }: { starts: boolean; anew: boolean }): Promise<void> {
    if (text === this.#text && !anew) return;
    const turn = (this.#opening += 1);
    const dropped = [...this.shown];
    const known = anew ? [] : dropped;
    this.#text = text;
    this.failure = null;
    this.earlier = null;
    try {
      const texts = text.split(BESIDE).slice(0, 2);
      const shown: Training[] = [];
      // The last one first: of two equal settings, the second is the training that was there.
      for (const one of texts.toReversed()) {
        const at = known.findLastIndex(
          (training) => training.text === one && !shown.includes(training),
        );
        shown.unshift(known[at] ?? (await this.#made(one, anew || texts.length > 1)));
        if (turn !== this.#opening) return;
      }
      this.shown = shown;
      for (const training of dropped) if (!shown.includes(training)) this.#end(training);
      const isNew = shown.every(({ run }) => run.step === 0);
      if (starts && isNew) this.start();
      else for (const { run } of shown) if (!run.isTraining) void run.show();
    } catch (thrown) {
      if (turn !== this.#opening) return;
      for (const training of this.shown) this.#end(training);
      this.shown = [];
      this.failure = thrown;
    }
    this.changed();
  }

  /** Opens a training: at the start of a fork, as it was kept, or at its first step. */
  async #made(text: string, anew: boolean): Promise<Training> {
    const settings = decodeSettings(text);
    const base = this.#base && isLike(this.#base.settings, settings) ? this.#base.kept : null;
    const kept = anew || base ? null : await this.storage.read(this.#keyOf({ text, settings }));
    const own = needsText(settings) ? this.#own?.text : undefined;
    const changed = (): void => this.#ran();
    const training = await this.openTraining(text, settings, base ?? kept, changed, own);
    if (kept) {
      this.earlier = kept.step;
      this.#stored.set(training, { at: this.now(), step: kept.step });
    }
    return training;
  }

  start(): void {
    for (const { run } of this.shown) void run.start();
    this.changed();
  }

  advance(steps: number): void {
    for (const { run } of this.shown) void run.advance(steps);
  }

  pause(): void {
    for (const { run } of this.shown) void run.pause();
  }

  /** Removes what an earlier visit kept, and waits at the first step. */
  async forget(): Promise<void> {
    const { first } = this;
    if (!first) return;
    await this.storage.remove(this.#keyOf(first));
    await this.open(first.text, { starts: false, anew: true });
  }

  /** The next training of like settings begins at a checkpoint of one that goes on beside it. */
  forkAt(training: Training, checkpoint: Checkpoint): void {
    this.#base = { settings: training.settings, kept: training.run.forkAt(checkpoint) };
  }

  /** The next training begins at its first step. */
  begin(): void {
    this.#base = null;
  }

  /** Ends every training but one, once it is stored. */
  keepOnly(kept: Training): void {
    for (const training of this.shown) if (training !== kept) this.#end(training);
    this.shown = [kept];
  }

  /** Ends all trainings, once they are stored. */
  close(): void {
    this.#opening += 1;
    for (const training of this.shown) this.#end(training);
    this.shown = [];
    this.#text = null;
  }

  #end(training: Training): void {
    void this.#store(training);
    training.run.dispose();
    this.#stored.delete(training);
  }

  #ran(): void {
    for (const training of this.shown) {
      const { at = this.now() } = this.#stored.get(training) ?? {};
      if (!this.#stored.has(training)) this.#stored.set(training, { at, step: 0 });
      if (this.now() - at > STORE_MILLIS || !training.run.isTraining) void this.#store(training);
    }
    this.changed();
  }

  async #store(training: Training): Promise<void> {
    const kept = training.run.kept();
    const before = this.#stored.get(training)?.step ?? 0;
    if (!kept || kept.step === 0 || kept.step === before) return;
    this.#stored.set(training, { at: this.now(), step: kept.step });
    await this.storage.write(this.#keyOf(training), kept);
  }

  /** The name of a kept training: its settings, and which text of one's own it learned. */
  #keyOf({ text, settings }: Pick<Training, "text" | "settings">): string {
    return needsText(settings) ? `${text} ${this.#own?.name ?? ""}` : text;
  }

  /** Takes a text of one's own. */
  takeText(text: string): void {
    this.#own = { text, name: `${text.length}-${hashOf([text])}` };
  }
}

/** Whether a task learns a text of one's own. */
export function needsText({ task }: Pick<TrainingSettings, "task">): boolean {
  const kind: TaskKind = TASKS[task];
  return kind.needsText === true;
}

function isLike(one: TrainingSettings, other: TrainingSettings): boolean {
  return OF_MODEL.every((name) => one[name] === other[name]);
}
