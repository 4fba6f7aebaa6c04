import { consume, createContext } from "@lit/context";
import { property } from "lit/decorators.js";
import type * as data from "../data/index.js";
import type { Model } from "../headscope.js";
import type { Chip } from "../elements/chips.js";
import type { HeadRole } from "../elements/grid/element.js";
import type { RankedHead } from "../elements/grid/thumbnail.js";
import type { Inks, Print } from "../draw/theme.js";
import { loadSentences, Locale } from "../i18n/index.js";
import { equals } from "../data/equal.js";
import { batch, byField, derived, effect, tracked, untracked, WITHIN } from "../signals.js";
import {
  type AddressedModel,
  type Comparison,
  DEFAULT_STATE,
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
import type { AnswerItem } from "./answer-items.js";
import { type ExportSubject, subjectOf } from "./subject.js";
import { Precomputed, type PrecomputedView } from "./first-picture.js";
import { cardOf } from "./models/models.js";
import type { Pairs } from "./pairs.js";
import { Computation, editsIn, firstTokens } from "./run/computation.js";
import { lockedAfter, maskedAfter } from "./run/positions-after.js";
import { describeFailure, failureWords, firstFailure } from "./run/failures.js";
import * as heads from "./run/head.js";
import { type KnownRoles, rankHeads } from "./run/head-order.js";
import { PageLinks } from "./links.js";
import type { STUDIES, Studied, Studying } from "./studies.js";
import { addressOf, loadedFrom } from "./models/addresses.js";
import { BackendChoice, WAYS_TO_LEAVE } from "./models/backend-choice.js";
import { ModelCache } from "./models/model-cache.js";
import { pageHome } from "./models/home.js";
import { type LoadModel, models } from "./models/model-pool.js";
import { storedOffline } from "./models/stored-models.js";
import { type Command, NoticeBoard } from "./run/notices.js";
import type { Opening } from "./opening.js";
import type { PlacedFile } from "./models/picked-files.js";
import { type Hover, Pointing } from "./run/pointing.js";
import { type Expectation, type Place, readExpectation } from "./run/readings.js";
import { RunView } from "./run/run-view.js";
import { Frames, Growth, Turns } from "./run/scheduling.js";
import * as selection from "./run/selection.js";
import { isSample, sampleIds } from "./models/samples.js";
import type { HelpPart } from "./tour-steps.js";

/** The module with the texts of edits: a page without edits does not load it. */
export const EDIT_LABELS = new Later(() => import("./edit-labels.js"), "rules", "steps");

/** The module that computes a second run. */
export const PAIRS = new Later(() => import("./pairs.js"), "pairs");

/** The most tokens of texts that are rendered in one frame with the picture. */
const SHORT_TEXTS = 128;

interface SessionOptions {
  /** The function that loads models; by default that of the page, which all its explorers share. */
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

/** A picture of what the page shows, as it is saved: its words, and what paints it. */
export interface Still {
  title?: string;
  lines?: readonly string[];
  scene?: (inks: Inks) => Print | null;
}
/** The pictures that the code of a figure has inside. */
export type StillName = "shown" | "grid" | "spectrum" | "tokens";

interface PageActions {
  /** Opens the part of a narrow page that has this tag. */
  reveal: (tag: string) => void;
  /** Whether the page is narrow, so that one part of it is shown at a time. */
  isNarrow: () => boolean;
  /** Scrolls to a part. */
  show: (part: ExplorerPart) => void;
  showHelp: (part: HelpPart) => void;
  startTour: () => void;
  /** Makes a picture of what the page shows; null where there is none. */
  still: (name: StillName) => Promise<Still | null>;
  /** Opens the list of models at the ways to open a model of the user. */
  offerFiles: () => void;
  /** Turns the presenter's size on or off; a page of its own has it. */
  present: (isOn: boolean) => void;
}

/**
 * The state of an explorer: the State with undo, the model and its run, the readings of both, and
 * the values derived from them.
 */
export class Session extends RunView {
  readonly store = new Store();
  private readonly fields = byField(() => this.store.state);
  /** The language of the session's sentences: its own, or that of the page around it. */
  readonly locale = new Locale();
  readonly notices = new NoticeBoard(this.locale);
  readonly links: PageLinks;
  readonly backend = new BackendChoice({
    left: (left) => {
      this.store.update({ backend: "cpu" });
      // Other work on the GPU would each fail on its own, so all models leave it.
      if (this.models.leaveGpu().includes(this.state.model)) this.use();
      this.removeGpuNotices();
      this.notices.post(`notice.${left}`, {}, { code: left });
    },
    used: () => this.removeGpuNotices(),
  });
  readonly models: ModelCache;
  readonly turns = new Turns(() => untracked(() => !this.coming && !this.computation.continuing));
  readonly computation: Computation;
  readonly pointing = new Pointing(this);
  /** The second run and its pictures: loaded when a second run is first wanted. */
  @tracked pairs: Pairs | null = null;
  /** The short answers of demos, by their names, for the card of a question. */
  @tracked demoAnswers: ReadonlyMap<string, readonly AnswerItem[]> = new Map();
  /** What the open calculator computed last. */
  @tracked calculation: data.Calculation | null = null;
  /** Whether the page and a model are stored for a visit without a network. */
  @tracked opensOffline = false;
  /** Whether the page is shown to a room: large type, and the picture first. */
  @tracked presenting = false;
  /** The folder that is read beside the model in use. */
  @tracked opening: Opening | null = null;
  /** The State when the user left the last model that worked. */
  @tracked private left: State | null = null;
  private readonly precomputed: Precomputed;
  private readonly frames = new Frames();
  private readonly growth = new Growth();
  private stopFollowing: (() => void)[] = [];
  /** What was studied of the heads of a model beyond the present text. */
  @tracked studied: Studied | null = null;
  /** The study that is being computed. */
  @tracked studying: Studying | null = null;
  /** Whether the model whose picture was opened last reads images. */
  private showsImages = false;
  /** The last run for which the locked pair was checked. */
  private checked: heads.HeadFigures["run"] | null = null;

  private readonly expectationRead = this.besidePicture(() => {
    const { place, shown, figures, computation } = this;
    if (!place || !shown) return null;
    // While the pictures belong to an older run, so does the place.
    return figures?.run === computation.run ? { stack: shown.stack, ...place } : undefined;
  }, readExpectation);

  /** The actions of the view; empty without a view. */
  readonly page: Partial<PageActions> = {};
  /** The address that links lead to and that bundled models are relative to. */
  readonly home: string;

  constructor({ load = models.load, home = pageHome() }: SessionOptions = {}) {
    super();
    this.home = home;
    this.precomputed = new Precomputed(home);
    const openExperiment = (): void => this.page.reveal?.("headscope-edits-panel");
    this.links = new PageLinks(this.store, this.notices, openExperiment, {
      written: () => (this.info?.image ? this.shownImage.written() : Promise.resolve(null)),
      read: (url) => this.readImage(url),
    });
    this.store.listen(({ language }) => this.locale.speak(language));
    const stored = storedOffline(load, home, () => (this.opensOffline = true));
    this.models = new ModelCache(this.backend.on(stored), (model) => loadedFrom(model, home));
    this.computation = new Computation(
      this.models,
      {
        grow: this.growth.publish,
        arrived: ({ tokens, targetTokens }) => {
          this.growth.restart();
          this.turns.hold(tokens.length + targetTokens.length <= SHORT_TEXTS);
        },
        follows: () => this.drawn?.stack !== "encoder",
        adopted: (model) => {
          this.openPicture(model);
          // A model without a tokenizer reads ids, so a sample sentence is replaced by sample ids.
          if (!model.hasTokenizer && isSample(this.state.text))
            this.store.step({ text: sampleIds(model.info), target: null, masked: [], pairs: [] });
        },
        restarted: ({ code }) => {
          if (code === "engine/crashed") this.notices.post("notice.restarted", {}, { code });
        },
        // Before the first picture no other answer is waiting in the same message.
        foreseen: () =>
          this.drawn && this.computation.sourceRevision > 0 ? heads.questionsOf(this.drawn) : [],
      },
      this.shownImage,
    );
  }

  [WITHIN]<Result>(act: () => Result): Result {
    return this.locale.within(act);
  }

  /** The whole address of a model, as this explorer resolves it. */
  addressOf(model: ModelName): string {
    return addressOf(model, this.home);
  }

  /** The State; a rendering follows only the fields of it that it reads. */
  get state(): State {
    return this.fields();
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
    const { run, answer, revision } = this.computation;
    const { targetTokens = [], targetText = "" } = answer ?? {};
    return run && revision >= 0
      ? { source: run.tokens, target: targetTokens, written: targetText }
      : { source: [], target: [], written: "" };
  }
  get translation(): string {
    return this.first?.translation ?? this.texts.written;
  }

  /** Whether the model is still writing the text. */
  @derived override get writing(): boolean {
    return this.computation.progress?.finished === false;
  }

  /**
   * Whether edits are active; before the model's first answer any requested edit counts as active.
   */
  @derived get edited(): boolean {
    return hasEdits(editsIn(this.state.edits, this.computation.applied));
  }

  /**
   * The comparison that the page makes: the requested one, or with the original if edits are
   * active.
   */
  @derived get comparison(): Comparison | null {
    return this.state.compare ?? (this.computation.run && this.edited ? "original" : null);
  }
  get pairsShown(): boolean {
    return this.pairs !== null && this.state.compare !== null;
  }

  /**
   * The tokens of the text and those of the longest text in training, if the text is longer; null
   * if it is not, or if the model's files do not say.
   */
  @derived get beyondTraining(): { count: number; longest: number } | null {
    const longest = this.computation.model?.notes?.longest?.source;
    const count = this.texts.source.length;
    return longest !== undefined && count > longest ? { count, longest } : null;
  }

  // The head.

  /** The requested stack, also before there is a model. */
  get stack(): data.Stack {
    const { stack } = this.state;
    return this.chosen?.stack ?? (this.stacks.includes(stack) ? stack : (this.stacks[0] ?? stack));
  }

  @derived override get roles(): HeadRole[][] | null {
    return this.first ? this.first.roles : super.roles;
  }
  /** What was studied of the heads of the model in use. */
  @derived get studiedHere(): Studied | null {
    return this.studied?.model === this.computation.model ? this.studied : null;
  }
  /**
   * The role scores of the stack: those of a study over a file of texts come before held-out ones,
   * those on the sample text before those on the present one.
   */
  @derived override get knownRoles(): KnownRoles | null {
    const known = super.knownRoles;
    const { scores: all, texts = null } = this.studiedHere?.roles ?? {};
    const scores = all?.[this.stack];
    return scores && (texts || known?.basis !== "heldOut")
      ? { basis: "sample", scores, texts }
      : known;
  }
  /** Opens the file of a study, or studies the heads on a sample text or on a file of texts. */
  async study(how: keyof typeof STUDIES, file = new File([], "")): Promise<void> {
    this.notices.remove("notice.study");
    try {
      const sentences = loadSentences("roles", "notices");
      const [part] = await Promise.all([import("./studies.js"), sentences]);
      await part.STUDIES[how](this, file);
    } catch (thrown) {
      const { sentence: reason, code } = this.locale.within(() => describeFailure(thrown));
      this.notices.post("notice.study", { reason }, { code });
    }
  }

  /** The heads in the order that the user chose; null for all heads in their places. */
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
    // All tokens of a word are locked together.
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
   * The place at which the model is asked for its prediction: for a decoder after the query, for an
   * encoder at the masked token of the pair, or the last one.
   */
  @derived get place(): Place | null {
    const { info, shown, focused, texts } = this;
    if (!info?.predicts || !shown || !focused) return null;
    // An image is classified at its class token.
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

  /** The precomputed view of the first State, until its run is complete. */
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

  /** The export subject of the first run; null while it is not what is shown. */
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
    const failed = firstFailure([...this.reads.all, ...(this.pairs?.resources ?? [])]);
    return failureWords(this.computation, failed, isOpened(this.state.model));
  }

  /** The last model that worked, to return to from one that cannot be loaded. */
  get back(): ModelName | null {
    return this.left && this.left.model !== this.state.model ? this.left.model : null;
  }
  @derived private get coming(): boolean {
    return (
      this.computation.busy || this.reads.loading || (this.pairs?.busy ?? false) || isAnyComing()
    );
  }

  /**
   * Whether something is being computed, read or fetched, or a part of the page is not yet
   * rendered.
   */
  @derived get busy(): boolean {
    return this.coming || this.turns.pending;
  }
  @derived get settled(): boolean {
    return this.computation.run !== null && !this.busy;
  }

  /** Resolves once nothing is being computed, read, fetched or rendered. */
  async atRest(): Promise<void> {
    let stop = (): void => undefined;
    await new Promise<void>((resolve) => {
      stop = effect(() => {
        if (!this.busy) resolve();
      });
    });
    stop();
  }

  /**
   * The values that demos may read: a new object only if a value differs. The run stays the same
   * object while it grows.
   */
  @derived get onPage() {
    const { state, shown: head, displayed } = this;
    const { edits, text, entry, locked, depth } = state;
    const { model, run, revision, busy: growing, imageRead: image } = this.computation;
    const mask = displayed?.whole?.mask ?? null;
    const { studiedHere: studied } = this;
    const shown = { edits, text, entry, locked, depth, head, mask };
    return { ...shown, model, run, revision, image, growing, studied };
  }

  // What follows by itself.

  /** Loads and computes what the State asks for, and reads what the page shows of it. */
  begin(): void {
    this.stopFollowing = [
      this.store.listen((now, before) => this.follow(now, before)),
      // Before the picture of such heads would be read.
      effect(() => {
        const { chosen, state } = this;
        if (chosen && state.joined && selection.joinedAt(state, chosen.stack) === null)
          untracked(() => this.store.update({ joined: null }));
      }),
      ...this.reads.follow(),
      effect(() => {
        if (this.comparison === null || this.pairs) return;
        const part = PAIRS.want();
        if (part) untracked(() => (this.pairs = new part.Pairs(this)));
      }),
      effect(() => {
        // The first picture comes before the search for a GPU; the use of a GPU can be turned off
        // in any case.
        if ((this.shown && this.settled) || this.state.backend === "webgpu")
          untracked(() => this.backend.look());
      }),
      effect(() => {
        const { figures, info, state } = this;
        if (!this.settled || !info || figures?.run !== this.computation.run) return;
        untracked(() => {
          void this.links.compare(state, figures, info, this.block?.steps);
          this.dropLocked(figures);
          this.dropEntries(info);
        });
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
    // Nothing is shown any more, and no timer outlives a page that is gone.
    for (const waits of [this.frames, this.growth, this.pointing]) waits.stop();
    this.turns.end();
    this.models.dispose();
  }

  /** Shows a new picture first; the panels beside it follow in their turns. */
  protected override showPicture(show: () => void): void {
    const { source, target } = this.texts;
    batch(() => {
      this.turns.begin(source.length + target.length <= SHORT_TEXTS);
      show();
    });
    this.growth.pictured();
  }
  protected override showBeside(show: () => void): void {
    if (untracked(() => this.turns.holdsAll)) batch(show);
    else this.frames.publish(show);
  }
  protected override isPictureFirst(): boolean {
    const { turns, computation } = this;
    // While the text grows, only the picture follows each token.
    return (turns.isBefore(1) && !turns.holdsAll) || computation.pen !== null;
  }

  /**
   * Reacts to a change of the State. The engine comes first, because it computes while the page is
   * rendered.
   */
  private follow(now: State, before: State): void {
    const { text, target, otherText, masked, pairs } = now;
    // A typed letter changes only texts and the fields that follow them.
    if (!equals(now, { ...before, text, target, otherText, masked, pairs })) this.turns.end();
    this.pointing.settle();
    if (now.tour !== before.tour || now.lesson !== null) this.demoAnswers = new Map();
    if (this.backend.follow(now.backend)) {
      this.models.dispose();
      this.use();
    } else if (now.model !== before.model) {
      if (this.computation.model) this.left = before;
      this.use();
    } else if (
      (["text", "chat", "masked", "target", "sampling", "edits"] as const).some(
        (of) => now[of] !== before[of],
      )
    ) {
      this.retryReads();
      void this.computation.compute(now);
    }
  }

  /** Drops a locked pair that a new run does not have, so that no link carries it. */
  private dropLocked({ run, stages }: heads.HeadFigures): void {
    const { locked } = this.state;
    if (locked && run !== this.checked && !selection.cellWithin(locked, stages.weights))
      this.store.update({ locked: null });
    this.checked = run;
  }

  /** Lets go of entries that the vocabulary does not have, which a link may ask for. */
  private dropEntries(info: data.ModelInfo): void {
    const { state, store } = this;
    const entry = selection.entryIn(state.entry, info);
    const against = selection.entryIn(state.against, info);
    if (entry !== state.entry || against !== state.against) store.update({ entry, against });
  }

  /**
   * Opens a model of images on its image, and leaves that picture with a model of texts; after
   * another model of images, or the same one, the picture stays that was chosen.
   */
  private openPicture({ info }: Model): void {
    const { state, showsImages } = this;
    this.showsImages = Boolean(info.image);
    if (info.image && !showsImages && state.picture === "heatmap")
      this.store.update({ picture: "image" });
    else if (!info.image && state.picture === "image") this.store.update({ picture: "heatmap" });
  }

  /** Uses the model of the State, also where it was used before, as after a repair of its files. */
  use(): void {
    const { state } = this;
    this.pointing.clear();
    void this.computation.use(state.model, state);
  }

  /** Clears the failures of reads, because another run is coming. */
  private retryReads(): void {
    this.reads.retry();
    for (const resource of this.pairs?.resources ?? []) resource.retry();
  }

  private removeGpuNotices(): void {
    this.notices.remove(...WAYS_TO_LEAVE.map((way) => `notice.${way}` as const));
  }

  // What a person asks for.

  /** Changes fields of the State; fields that depend on a text change with it. */
  update(change: Partial<State>): void {
    const { text } = change;
    const { model } = this.computation;
    const moved = text !== undefined && {
      pairs: [],
      masked: maskedAfter(this.state, text, model),
      locked: lockedAfter(this.state, this.shown, text, model),
    };
    this.store.update({ ...change, ...moved });
  }

  switchTo(model: ModelName): void {
    if (model !== this.state.model) this.store.update(selection.switchPatch(this.state, model));
  }

  /** Takes the short answer of a demo, until the next question. */
  putDemoAnswer(name: string, items: readonly AnswerItem[]): void {
    // The demo that gives an answer does not depend on the answers.
    untracked(() => {
      const { demoAnswers } = this;
      if (!equals(demoAnswers.get(name), items))
        this.demoAnswers = new Map([...demoAnswers, [name, items]]);
    });
  }

  goBack(): void {
    if (this.left) this.store.update(selection.backPatch(this.left, this.state));
  }

  /** Opens the dropped or picked files, or reports why there is no model in them. */
  async openPicked(placed: readonly PlacedFile[]): Promise<void> {
    await (await import("./opening.js")).openPicked(this, placed);
  }

  /** Takes the text of a file in place of the present one. */
  async openText(file: File): Promise<void> {
    await (await import("./opening.js")).openText(this, file);
  }

  /** Runs an image of the user; null stands for the sample. */
  async openImage(file: Blob | null): Promise<void> {
    await (await import("./opening.js")).openImage(this, file);
  }

  /** Whether the page shows an image of the user, which neither a link nor embed code has. */
  get hasOwnImage(): boolean {
    return this.shownImage.isOwn && Boolean(this.info?.image);
  }

  /** Shows the image of a saved page; without one the sample. */
  private async readImage(url: string | null): Promise<void> {
    if (url === null && !this.shownImage.isOwn) return;
    await this.shownImage.read(url);
    if (this.info?.image) this.computation.again();
  }

  /**
   * Opens the model of an address, also if an earlier attempt failed, for example without a token.
   */
  openAddress(model: AddressedModel, bytes: number | null): void {
    this.agree(model, bytes);
    if (model === this.state.model) this.use();
    else this.switchTo(model);
  }

  /** Fetches a model that waits for the reader's consent; `bytes` is its size, if that is known. */
  agree(model: AddressedModel, bytes: number | null): void {
    if (bytes !== null) this.models.measured.set(model, bytes);
    this.models.consent.agree(model);
  }

  /** Leaves a model that the reader does not want: the usual one takes its place. */
  refuse(model: AddressedModel): void {
    const { otherModel } = this.state;
    if (otherModel === model) this.store.update({ otherModel: null });
    if (this.state.model === model) this.switchTo(this.links.usual ?? DEFAULT_STATE.model);
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
      "shorten-text": () => {
        const { text, chat } = store.state;
        const { model } = computation;
        this.update({ text: firstTokens(text, model, chat), chat: "off" });
      },
      "save-page": () => void links.saveFile(),
    };
    commands[name]();
  }
}

/** The session of the explorer that contains an element. */
export const sessionContext = createContext<Session>("headscope-session");

/**
 * A panel of an explorer. It renders again when the session's values that it reads change, in its
 * turn after a new picture.
 */
export class SessionPart extends PagePart {
  @consume({ context: sessionContext })
  @property({ attribute: false })
  session!: Session;

  /**
   * The turn in which the panel renders a new picture: 0 with the picture, 1 with the texts, 2
   * after them.
   */
  protected readonly turn: 0 | 1 | 2 = 2;

  protected override signalled(): void {
    if (!this.session.turns.isBefore(this.turn)) super.signalled();
  }

  /** Waits for its turn also with an update that was requested before the picture came. */
  protected override scheduleUpdate(): Promise<void> | undefined {
    // A part that saves a figure may stand in a page without an explorer.
    const turns = (this.session as Session | undefined)?.turns;
    if (this.hasUpdated && turns?.isBefore(this.turn))
      return turns.reached(this.turn).then(() => this.performUpdate());
    this.performUpdate();
    return undefined;
  }
}
