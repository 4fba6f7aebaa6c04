import { consume, createContext } from "@lit/context";
import { property } from "lit/decorators.js";
import type * as data from "../data/index.js";
import type { Chip } from "../elements/chips.js";
import type { HeadRole } from "../elements/grid/element.js";
import type { RankedHead } from "../elements/grid/thumbnail.js";
import { Locale } from "../i18n/index.js";
import { batch, derived, effect, equals, tracked, untracked, WITHIN } from "../signals.js";
import {
  type AddressedModel,
  type Comparison,
  hasEdits,
  isOpened,
  type ModelName,
  type Side,
  STACKS,
  type State,
  Store,
} from "../state/index.js";
import { isAnyComing, Later } from "../ui/lazy.js";
import { PagePart } from "../ui/page-part.js";
import { type ExportSubject, subjectOf } from "./subject.js";
import { Precomputed, type PrecomputedView } from "./first-picture.js";
import { cardOf } from "./models/models.js";
import type { Pairs } from "./pairs.js";
import { Computation, editsIn, firstTokens, maskedAfter } from "./run/computation.js";
import { failureWords, firstFailure } from "./run/failures.js";
import * as heads from "./run/head.js";
import { rankHeads } from "./run/head-order.js";
import { PageLinks } from "./links.js";
import { addressOf } from "./models/addresses.js";
import { BackendChoice, WAYS_TO_LEAVE } from "./models/backend-choice.js";
import { ModelCache } from "./models/model-cache.js";
import { pageHome } from "./models/home.js";
import { type LoadModel, models } from "./models/model-pool.js";
import { storedOffline } from "./models/stored-models.js";
import { type Command, NoticeBoard } from "./run/notices.js";
import {
  cachedModel,
  modelFolder,
  type PickedFolder,
  type PlacedFile,
} from "./models/picked-folder.js";
import { type Hover, Pointing } from "./run/pointing.js";
import { type Expectation, type Place, readExpectation } from "./run/readings.js";
import { RunView } from "./run/run-view.js";
import { Frames, Turns } from "./run/scheduling.js";
import * as selection from "./run/selection.js";
import { isSample, sampleIds } from "./models/samples.js";
import type { HelpPart } from "./tour-steps.js";

/** What says of an edit what it does: a page without edits does without. */
export const EDIT_LABELS = new Later(() => import("./edit-labels.js"), "rules");

/** What computes a second run. */
export const PAIRS = new Later(() => import("./pairs.js"), "pairs");

/**
 * Between two states of a text that the model writes: its first word is there at once, and the eye
 * follows no faster.
 */
const GROWTH_MILLIS = 50;

interface SessionOptions {
  /** Loads models; by default those of the page, which all its explorers share. */
  load?: LoadModel;
  home?: string;
}

/** The parts of an explorer, by the names of their CSS parts. */
export const EXPLORER_PARTS = [
  "top-bar",
  "sentence",
  "heads",
  "picture-panel",
  "inspector",
  "edits",
  "page-footer",
] as const;
export type ExplorerPart = (typeof EXPLORER_PARTS)[number];

interface PageActions {
  /** Opens the part of a narrow page that has this tag. */
  reveal: (tag: string) => void;
  /** Brings a part into sight. */
  show: (part: ExplorerPart) => void;
  showHelp: (part: HelpPart) => void;
  startTour: () => void;
}

/**
 * Everything that an explorer holds: the State with undo, the model and its run, what was read of
 * them, and what follows from all that.
 */
export class Session extends RunView {
  readonly store = new Store();
  /** The language of its sentences: its own, or that of the page around it. */
  readonly locale = new Locale();
  readonly notices = new NoticeBoard(this.locale);
  readonly links: PageLinks;
  readonly backend = new BackendChoice({
    left: (left) => {
      this.store.update({ backend: "cpu" });
      // Whatever else is on that GPU would find it gone, each by itself.
      if (this.models.leaveGpu().includes(this.state.model)) this.use();
      this.removeGpuNotices();
      this.notices.post(`notice.${left}`, {}, { code: left });
    },
    used: () => this.removeGpuNotices(),
  });
  readonly models: ModelCache;
  readonly turns = new Turns();
  readonly computation: Computation;
  readonly pointing = new Pointing(this);
  /** What computes and shows a second run: fetched when the first is wanted. */
  @tracked pairs: Pairs | null = null;
  /** Whether the page and a model are kept for a visit without a network. */
  @tracked opensOffline = false;
  /** What was shown when the last model that worked was left. */
  @tracked private left: State | null = null;
  private readonly precomputed: Precomputed;
  private readonly frames = new Frames();
  private stopFollowing: (() => void)[] = [];

  private readonly expectationRead = this.besidePicture(() => {
    const { place, shown, figures, computation } = this;
    if (!place || !shown) return null;
    // While the pictures are still an older run's, so is the place.
    return figures?.run === computation.run ? { stack: shown.stack, ...place } : undefined;
  }, readExpectation);

  /** What the view of it can do; nothing without one. */
  readonly page: Partial<PageActions> = {};
  /** The address that links lead to and that bundled models are relative to. */
  readonly home: string;

  constructor({ load = models.load, home = pageHome() }: SessionOptions = {}) {
    super();
    this.home = home;
    this.precomputed = new Precomputed(home);
    const openExperiment = (): void => this.page.reveal?.("headscope-edits-panel");
    this.links = new PageLinks(this.store, this.notices, openExperiment, home);
    this.store.listen(({ language }) => this.locale.speak(language));
    const stored = storedOffline(load, home, () => (this.opensOffline = true));
    this.models = new ModelCache(this.backend.on(stored), (model) => this.addressOf(model));
    this.computation = new Computation(
      this.models,
      {
        grow: new Frames(GROWTH_MILLIS).publish,
        arrived: () => this.turns.hold(),
        adopted: (model) => {
          // A sentence of a sample says nothing to a model without a tokenizer: its text names ids.
          if (!model.hasTokenizer && isSample(this.state.text))
            this.store.step({ text: sampleIds(model.info), target: null, masked: [], pairs: [] });
        },
        restarted: ({ code }) => {
          if (code === "engine/crashed") this.notices.post("notice.restarted", {}, { code });
        },
        // Before the first picture nothing waits for an answer in the same message.
        foreseen: () =>
          this.drawn && this.computation.sourceRevision > 0 ? heads.questionsOf(this.drawn) : [],
      },
      this.shownImage,
    );
  }

  [WITHIN]<Result>(act: () => Result): Result {
    return this.locale.within(act);
  }

  /** The whole address of a model, as this explorer finds it. */
  addressOf(model: ModelName): string {
    return addressOf(model, this.home);
  }

  get state(): State {
    return this.store.state;
  }
  get hover(): Hover {
    return this.pointing.hover;
  }

  // The model and its texts.

  @derived get architecture(): data.Architecture | null {
    return this.info?.architecture ?? cardOf(this.state.model)?.architecture ?? null;
  }
  @derived get stacks(): readonly data.Stack[] {
    const { info, architecture } = this;
    return info
      ? selection.stacksOf(info)
      : STACKS.filter((stack) => architecture === "encoder-decoder" || stack === architecture);
  }
  @derived private get texts(): Record<Side, readonly data.Token[]> & { written: string } {
    const { run, revision } = this.computation;
    return run && revision >= 0
      ? { source: run.tokens, target: run.targetTokens, written: run.targetText }
      : { source: [], target: [], written: "" };
  }
  get translation(): string {
    return this.first?.translation ?? this.texts.written;
  }

  /** Whether the model still writes it. */
  @derived get writing(): boolean {
    return this.computation.progress?.finished === false;
  }

  /** Whether edits are at work: of a model that has not answered yet, any may be. */
  @derived get edited(): boolean {
    return hasEdits(editsIn(this.state.edits, this.computation.applied));
  }

  /**
   * Which comparison the page makes: the one that was asked for, or with the original where edits
   * are at work.
   */
  @derived get comparison(): Comparison | null {
    return this.state.compare ?? (this.computation.run && this.edited ? "original" : null);
  }
  get pairsShown(): boolean {
    return this.pairs !== null && this.state.compare !== null;
  }

  // The head.

  /** The stack that is asked for, also before there is a model. */
  get stack(): data.Stack {
    const { stack } = this.state;
    return this.chosen?.stack ?? (this.stacks.includes(stack) ? stack : (this.stacks[0] ?? stack));
  }

  @derived override get roles(): HeadRole[][] | null {
    return this.first ? this.first.roles : super.roles;
  }
  get heldOut(): data.RoleScores[][] | null {
    return this.computation.model?.notes?.roles[this.stack] ?? null;
  }

  /** The heads in the order that the reader asks for; null for all of them in their places. */
  @derived get ranked(): RankedHead[] | null {
    const [layers = 0, heads = 0] = this.thumbnails?.shape ?? [];
    return rankHeads({ layers, heads }, this.state.roleFilter, this.state.headSort, this);
  }
  @derived get chips(): Chip[] {
    const { edits } = this.state;
    if (!this.info || !hasEdits(edits)) return [];
    const { run, applied } = this.computation;
    const tokens = ({ stack }: { stack?: data.Stack }): ReturnType<typeof selection.tokensOf> =>
      run ? selection.tokensOf(run, stack ?? "encoder") : { queries: [], keys: [] };
    return EDIT_LABELS.want()?.editChips(edits, applied?.misfits, tokens, this.onCpu) ?? [];
  }

  // The pair and the tokens.

  @derived get together(): heads.Together | null {
    return (
      this.displayed && this.info && heads.togetherOf(this.state.picked, this.displayed, this.info)
    );
  }
  @derived get source(): selection.Strip {
    return this.first?.source ?? this.strip("source");
  }
  @derived get result(): selection.Strip {
    return this.first?.result ?? this.strip("target");
  }

  private strip(side: Side): selection.Strip {
    const { info, displayed, focused, locked, together, texts } = this;
    if (!info) return selection.NO_STRIP;
    const { picked } = this.state;
    const axis = displayed && selection.axisOf(side, displayed.figures.head.stack, info);
    const groups = axis && (axis === "query" ? displayed.rows : displayed.columns);
    // With a word all its pieces are locked.
    const whole = (index: number): readonly number[] =>
      groups?.[heads.groupAt(groups, index)] ?? [index];
    const tokens = picked?.side === side ? picked.tokens : axis && locked ? [locked[axis]] : [];
    return {
      tokens: texts[side],
      focused: axis && focused ? focused[axis] : null,
      byWord: displayed?.lens.byWord ?? false,
      locked: [...new Set(tokens.flatMap(whole))],
      shares: together?.side === side ? together.shares : [],
    };
  }

  /**
   * Where the model is asked what it expects: a decoder after the query, an encoder at the masked
   * token of the pair, or the last one.
   */
  @derived get place(): Place | null {
    const { info, shown, focused, texts } = this;
    if (!info?.predicts || !shown || !focused) return null;
    // The class token says what an image shows.
    if (info.image) return { kind: "after", position: 0, outOf: info.vocabSize };
    const { query, key } = focused;
    if (shown.stack !== "encoder") return { kind: "after", position: query };
    if (info.architecture !== "encoder") return null;
    const gap = [query, key, ...this.state.masked.toReversed()].find(
      (position) => texts.source[position]?.role === "mask",
    );
    return gap === undefined ? null : { kind: "instead", position: gap };
  }

  // What was read of the run.

  /** What is seen of the first State until all of its run is there. */
  @derived get first(): PrecomputedView | null {
    const isComplete = this.displayed !== null && !this.coming;
    return this.precomputed.of(this.state, this.computation, isComplete);
  }
  override get thumbnails(): data.Tensor | null {
    return this.first ? this.first.thumbnails : super.thumbnails;
  }
  @derived get measured(): data.HeadMeasures | undefined {
    const { shown } = this;
    return this.measures?.find((one) => one.layer === shown?.layer && one.head === shown.head);
  }
  get expectation(): Expectation | null {
    return this.place && this.expectationRead.value;
  }

  /** What can be exported of the first run; null while that would not be what is shown. */
  @derived get firstSubject(): ExportSubject | null {
    const { revision } = this.computation;
    return revision < 0 ? null : subjectOf(this.state, this, this.computation);
  }
  get subject(): ExportSubject | null {
    const subject = this.firstSubject;
    return this.state.compare === null ? subject : (this.pairs?.exported(subject) ?? null);
  }
  @derived get executed(): data.Executed | null {
    const { run, revision } = this.computation;
    return run && revision >= 0 ? run.executed() : null;
  }
  @derived get onCpu(): readonly data.BlockRef[] {
    const { run, revision } = this.computation;
    return run && revision >= 0 ? run.onCpu() : [];
  }
  get failure(): ReturnType<typeof failureWords> {
    const failed = firstFailure([...this.reads.all, ...(this.pairs?.reads.all ?? [])]);
    return failureWords(this.computation, failed, isOpened(this.state.model));
  }

  /** The model that worked last, to go back to from one that cannot be loaded. */
  get back(): ModelName | null {
    return this.left && this.left.model !== this.state.model ? this.left.model : null;
  }
  @derived private get coming(): boolean {
    return (
      this.computation.busy || this.reads.loading || (this.pairs?.busy ?? false) || isAnyComing()
    );
  }

  /**
   * Whether anything is computed, read or fetched, or some of the page does not yet show what is
   * there.
   */
  get busy(): boolean {
    return this.coming || this.turns.pending;
  }
  get settled(): boolean {
    return this.computation.run !== null && !this.busy;
  }

  /**
   * What demos may read: another object only where anything of it is other. The run stays the same
   * object while it grows.
   */
  @derived get onPage() {
    const { state, shown: head, displayed } = this;
    const { edits, text } = state;
    const { model, run, revision, busy: growing, imageRead: image } = this.computation;
    const mask = displayed?.whole?.mask ?? null;
    return { edits, text, head, mask, model, run, revision, image, growing };
  }

  // What follows by itself.

  /** Loads and computes what the State asks for, and reads what the page shows of it. */
  begin(): void {
    this.stopFollowing = [
      this.store.listen((now, before) => this.follow(now, before)),
      ...this.reads.follow(),
      effect(() => {
        if (this.comparison === null || this.pairs) return;
        const part = PAIRS.want();
        if (part) untracked(() => (this.pairs = new part.Pairs(this)));
      }),
      effect(() => {
        // The first picture comes before the question what else could have computed it; what uses
        // the GPU can be turned off in any case.
        if ((this.shown && this.settled) || this.state.backend === "webgpu")
          untracked(() => this.backend.look());
      }),
      effect(() => {
        const { figures, info, state } = this;
        if (this.settled && info && figures?.run === this.computation.run)
          untracked(() => this.links.compare(state, figures, info, this.block?.steps));
      }),
    ];
    this.backend.follow(this.state.backend);
    this.use();
  }

  end(): void {
    for (const stop of this.stopFollowing.splice(0)) stop();
    this.computation.leave();
    this.pairs?.leave();
    this.pairs = null;
    this.models.dispose();
  }

  /** A new picture is shown first; what stands beside it follows in its turn. */
  protected override showPicture(show: () => void): void {
    batch(() => {
      this.turns.begin();
      show();
    });
  }
  protected override showBeside(show: () => void): void {
    this.frames.publish(show);
  }
  protected override isPictureFirst(): boolean {
    return this.turns.isBefore(1);
  }

  /**
   * What has to happen when the State changed: the engine comes first, it computes while the page
   * is rendered.
   */
  private follow(now: State, before: State): void {
    const { text, target, otherText, masked, pairs } = now;
    // With a letter that is typed only texts change, and what moves along with them.
    if (!equals(now, { ...before, text, target, otherText, masked, pairs })) this.turns.end();
    this.pointing.settle();
    if (this.backend.follow(now.backend)) {
      this.models.dispose();
      this.use();
    } else if (now.model !== before.model) {
      if (this.computation.model) this.left = before;
      this.use();
    } else if (
      (["text", "masked", "target", "edits"] as const).some((of) => now[of] !== before[of])
    ) {
      this.retryReads();
      void this.computation.compute(now);
    }
  }

  private use(): void {
    const { state } = this;
    this.retryReads();
    this.pointing.clear();
    void this.computation.use(state.model, state);
  }

  /** Forgets what could not be read of this run: another is coming. */
  private retryReads(): void {
    this.reads.retry();
    this.pairs?.reads.retry();
  }

  private removeGpuNotices(): void {
    this.notices.remove(...WAYS_TO_LEAVE.map((way) => `notice.${way}` as const));
  }

  // What a person asks for.

  /** Changes fields of the State; what goes with a text moves along with it. */
  update(change: Partial<State>): void {
    const { text } = change;
    const moved = text !== undefined && {
      pairs: [],
      masked: maskedAfter(this.state, text, this.computation.model),
    };
    this.store.update({ ...change, ...moved });
  }

  switchTo(model: ModelName): void {
    if (model !== this.state.model) this.store.update(selection.switchPatch(this.state, model));
  }

  goBack(): void {
    if (this.left) this.store.update(selection.backPatch(this.left, this.state));
  }

  /** Opens what was dropped or picked, or says why there is no model in it. */
  openPicked(placed: readonly PlacedFile[]): void {
    const id = cachedModel(placed);
    const folder = modelFolder(placed);
    this.notices.remove("notice.cache", "notice.noFiles");
    const failure = { code: "load/not-found" };
    if (id !== null) this.notices.post("notice.cache", { id }, failure);
    else if (folder === null) this.notices.post("notice.noFiles", {}, failure);
    else this.openFolder(folder);
  }

  private openFolder({ name, files }: PickedFolder): void {
    const opened = this.models.add(name, files);
    // Opened once more, perhaps because it was mended.
    if (opened === this.state.model) this.use();
    else this.switchTo(opened);
  }

  /** Runs an image of the user's; null stands for the sample. */
  async openImage(file: Blob | null): Promise<void> {
    try {
      await this.shownImage.open(file);
    } catch {
      this.notices.post("notice.image", {}, { code: "input/bad-image" });
      return;
    }
    this.notices.remove("notice.image");
    this.computation.again();
  }

  /** Opens the model of an address, which may have been tried before, as without a token. */
  openAddress(model: AddressedModel, bytes: number | null): void {
    if (bytes !== null) this.models.measured.set(model, bytes);
    if (model === this.state.model) this.use();
    else this.switchTo(model);
  }

  command(name: Command): void {
    const { store, computation, links } = this;
    const commands: Record<Command, () => void> = {
      undo: () => store.undo(),
      redo: () => store.redo(),
      "cancel-download": () => computation.cancelDownload(),
      "load-model": () => {
        this.models.forget(this.state.model);
        this.use();
      },
      "stop-run": () => computation.stop(),
      "run-again": () => {
        this.retryReads();
        computation.again();
      },
      "shorten-text": () => this.update({ text: firstTokens(store.state.text, computation.model) }),
      "copy-link": () => void links.copyLink(),
      "save-page": () => void links.saveFile(),
    };
    commands[name]();
  }
}

/** The session of the explorer that an element stands in. */
export const sessionContext = createContext<Session>("headscope-session");

/**
 * A panel of an explorer: it renders again when what it reads of the session changes, in its turn
 * after a new picture.
 */
export class SessionPart extends PagePart {
  @consume({ context: sessionContext })
  @property({ attribute: false })
  session!: Session;

  /**
   * When it shows a new picture or what follows from it: with the picture, with the texts, or after
   * them.
   */
  protected readonly turn: 0 | 1 | 2 = 2;

  protected override signalled(): void {
    if (!this.session.turns.isBefore(this.turn)) super.signalled();
  }
}
