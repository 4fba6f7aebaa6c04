import { consume, createContext } from "@lit/context";
import { property } from "lit/decorators.js";
import type {
  Architecture,
  BlockRef,
  Cell,
  Executed,
  HeadLikeness,
  HeadMeasures,
  HeadRef,
  ModelInfo,
  PositionOrigins,
  RoleScores,
  Stack,
  Stage,
  Tensor,
  Token,
} from "../data/index.js";
import type { Chip } from "../elements/chips.js";
import type { HeadDetail } from "../elements/events.js";
import type { RankedHead, HeadRole } from "../elements/grid/element.js";
import { loadSentences } from "../i18n/index.js";
import type { Run } from "../headscope.js";
import {
  batch,
  derived,
  effect,
  type Resource,
  Resources,
  tracked,
  untracked,
  type Wanted,
} from "../signals.js";
import {
  blockedCells,
  type Comparison,
  hasEdits,
  isOpened,
  type ModelName,
  positionOrigin,
  type Side,
  STACKS,
  type State,
  Store,
  unusualStages,
} from "../state/index.js";
import { isAnyComing, Later } from "../ui/lazy.js";
import { PagePart } from "../ui/page-part.js";
import type { BenchContext } from "./bench/context.js";
import { type ExportSubject, subjectOf } from "./export/subject.js";
import { Precomputed, type PrecomputedView } from "./first/precomputed.js";
import { architectureOf } from "./models.js";
import { rankHeads, roleCaptions, assignedRoles } from "./run/head-order.js";
import type { Pairs } from "./pairs/pairs.js";
import { Computation, editsIn } from "./run/computation.js";
import { type FailureWords, failureWords, firstFailure } from "./run/failures.js";
import {
  type HeadFigures,
  type HeadRequest,
  positionedStack,
  questionsOf,
  readHead,
  THUMBNAIL_SIZE,
  tokensOf,
} from "./run/figures.js";
import {
  blockedPlaces,
  type DisplayedPattern,
  displayPattern,
  groupAt,
  lensOf,
  placeIn,
  strongestAt,
  type Together,
  togetherOf,
} from "./run/displayed.js";
import { PageLinks } from "./run/links.js";
import { addressOf, keptOffline, type LoadModel, models, ModelCache } from "./run/model-cache.js";
import { type Command, NoticeBoard } from "./run/notices.js";
import type { PickedFolder } from "./run/picked-folder.js";
import { Pointing } from "./run/pointing.js";
import { BackendChoice, WAYS_TO_LEAVE } from "./run/backend-choice.js";
import {
  type Expectation,
  type Place,
  readExpectation,
  readSpectrum,
  type SpectrumAnswer,
} from "./run/readings.js";
import { Frames, Turns } from "./run/scheduling.js";
import {
  axisOf,
  cellWithin,
  chosenHead,
  headsBeside,
  NO_STRIP,
  silencedHeads,
  stacksOf,
  type Strip,
} from "./run/selection.js";
import { backPatch, hiddenAfter, isOnlyWritten, switchPatch } from "./run/text-change.js";

/** What says of an edit what it does: a page without edits does without. */
export const EDIT_LABELS = new Later(async () => {
  const [labels] = await Promise.all([import("./edit-labels.js"), loadSentences("rules")]);
  return labels;
});

/** What computes a second run. */
export const PAIRS = new Later(async () => {
  const [pairs] = await Promise.all([import("./pairs/pairs.js"), loadSentences("pairs")]);
  return pairs;
});

/** Between two states of a text that the model writes: its first word is there at once, and the eye follows no faster. */
const GROWTH_MILLIS = 50;

/** What the explorer does with its own parts. */
interface PageActions {
  /** Opens the part of a narrow page that has this tag. */
  reveal: (tag: string) => void;
  showKeys: () => void;
  startTour: () => void;
  /** Opens what can be exported, under an element. */
  openExport: (under: HTMLElement) => void;
}

/** Everything that an explorer holds: the State with undo, the model and its run, what was read of them, and what follows from all that. */
export class Session {
  readonly store = new Store();
  readonly notices = new NoticeBoard();
  readonly links: PageLinks;
  readonly backend = new BackendChoice({
    left: (left) => {
      this.store.update({ backend: "cpu" });
      // Whatever else is on that GPU would find it gone, each by itself.
      if (this.models.leaveGpu().includes(this.state.model)) this.use();
      this.forgetLeft();
      this.notices.post(`notice.${left}`, {}, { code: left });
    },
    used: () => this.forgetLeft(),
  });
  readonly models: ModelCache;
  readonly turns = new Turns(2);
  readonly computation: Computation;
  readonly pointing = new Pointing(this);
  /** What computes and shows a second run: fetched when the first is wanted. */
  @tracked pairs: Pairs | null = null;
  /** Whether the page and a model are kept for a visit without a network. */
  @tracked opensOffline = false;
  /** What was shown when the last model that worked was left. */
  @tracked private left: State | null = null;
  private readonly sight = new Precomputed();
  private readonly frames = new Frames();

  private readonly reads = new Resources();
  /** A new picture is shown first; what stands beside it follows in its turn. */
  private readonly headRead = this.reads.add(
    this.ofRun(() => this.drawn, readHead),
    (show) =>
      batch(() => {
        this.turns.begin();
        show();
      }),
  );
  private readonly positionsRead = this.reads.add(
    this.ofRun(
      () => this.state.picture === "positions" && this.positioned,
      (run, { stack }) => run.positions({ stack }),
    ),
  );
  private readonly thumbnailsRead = this.besidePicture(
    this.ofRun(
      () => this.shownStack,
      (run, { stack }) => run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
    ),
  );
  private readonly measuresRead = this.besidePicture(
    this.ofRun(
      () => this.shownStack,
      (run, { stack }) => run.measures({ stack }),
    ),
  );
  private readonly likenessRead = this.besidePicture(
    this.ofRun(
      () => this.chosen,
      (run, head) => run.likeness(head),
    ),
  );
  private readonly spectrumRead = this.besidePicture(
    this.ofRun(() => this.state.picture !== "positions" && this.shown, readSpectrum),
  );
  private readonly expectationRead = this.besidePicture(() => {
    const { place } = this;
    const { run, revision } = this.computation;
    if (!run || !place) return null;
    // While the pictures are still an older run's, so is the place.
    return this.figures?.run === run
      ? {
          key: `${revision} ${place.kind} ${place.position}`,
          read: () => readExpectation(run, place),
        }
      : undefined;
  });
  private stopFollowing: (() => void)[] = [];

  /** `page` is the explorer around it; a test loads models of its own. */
  constructor(
    readonly page: Partial<PageActions> = {},
    load: LoadModel = keptOffline(models.load, () => (this.opensOffline = true)),
  ) {
    this.links = new PageLinks(this.store, this.notices, () =>
      page.reveal?.("headscope-edits-panel"),
    );
    this.models = new ModelCache(this.backend.on(load), addressOf);
    this.computation = new Computation(this.models, {
      grow: new Frames(GROWTH_MILLIS).publish,
      arrived: () => this.turns.hold(),
      restarted: ({ code }) => {
        if (code === "engine/crashed") this.notices.post("notice.restarted", {}, { code });
      },
      // Before the first picture nothing waits for an answer in the same message.
      foreseen: () =>
        this.drawn && this.computation.sourceRevision > 0 ? questionsOf(this.drawn) : [],
    });
  }

  get state(): State {
    return this.store.state;
  }

  // ---- the model and its texts

  @derived get info(): ModelInfo | null {
    const { model, restarts } = this.computation;
    return model && restarts >= 0 ? model.info : null;
  }

  /** Null while it is not known. */
  @derived get architecture(): Architecture | null {
    return this.info?.architecture ?? architectureOf(this.state.model);
  }

  @derived get stacks(): readonly Stack[] {
    const { info, architecture } = this;
    return info
      ? stacksOf(info)
      : STACKS.filter((stack) => architecture === "encoder-decoder" || stack === architecture);
  }

  /** The texts of the run, as far as it has come. */
  @derived private get texts(): {
    source: readonly Token[];
    target: readonly Token[];
    written: string;
  } {
    const { run, revision } = this.computation;
    return run && revision >= 0
      ? { source: run.tokens, target: run.targetTokens, written: run.targetText }
      : { source: [], target: [], written: "" };
  }

  /** What the model writes. */
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

  /** Which comparison the page makes: the one that was asked for, or with the original where edits are at work. */
  @derived get comparison(): Comparison | null {
    return this.state.compare ?? (this.computation.run && this.edited ? "original" : null);
  }

  /** Whether the page shows two runs, once what shows them is here. */
  get pairsShown(): boolean {
    return this.pairs !== null && this.state.compare !== null;
  }

  // ---- the head

  /** The head that was chosen, and the one that is shown: the hovered one, or else the chosen one. */
  @derived get chosen(): HeadRef | null {
    return this.info && chosenHead(this.state, this.info);
  }

  @derived get shown(): HeadRef | null {
    const { head } = this.pointing.hover;
    return head && head.stack === this.chosen?.stack ? head : this.chosen;
  }

  /** What the picture shows of the head, beside the head itself. */
  @derived private get drawn(): HeadRequest | null {
    const { shown, beside } = this;
    const { picture, edits } = this.state;
    return (
      shown && {
        ...shown,
        beside: picture === "lines" ? beside : [],
        vectors: picture === "dimensions",
        drops: edits.attention.some(({ dropout }) => dropout),
      }
    );
  }

  get figures(): HeadFigures | null {
    return this.headRead.value;
  }

  /** The same as the picture shows it: by word, without special tokens, without the sink. */
  @derived get displayed(): DisplayedPattern | null {
    return this.info && this.figures && displayPattern(this.figures, lensOf(this.state));
  }

  /** Stages of the head that is drawn which edits make other than their formula. */
  @derived get unusual(): readonly Stage[] {
    const head = this.figures?.head;
    return head ? unusualStages(this.state.edits, head) : [];
  }

  /** The stack that is asked for, also before there is a model. */
  get stack(): Stack {
    const { stack } = this.state;
    return this.chosen?.stack ?? (this.stacks.includes(stack) ? stack : (this.stacks[0] ?? stack));
  }

  /** How many layers and heads each stack of the model has. */
  get sizes(): ModelInfo["stacks"] {
    return this.info?.stacks ?? {};
  }

  /** A few words for each head of the stack, and the role that it plays most, from held-out text. */
  @derived get captions(): string[][] | null {
    const { notes = null } = this.computation.model ?? {};
    return roleCaptions(notes, this.chosen?.stack);
  }

  @derived get worn(): HeadRole[][] | null {
    const { notes = null } = this.computation.model ?? {};
    return this.first ? this.first.worn : assignedRoles(notes, this.chosen?.stack);
  }

  /** How far each head of the stack plays each role on held-out text. */
  get heldOut(): RoleScores[][] | null {
    return this.computation.model?.notes?.roles[this.stack] ?? null;
  }

  /** The heads in the order that the reader asks for; null for all of them in their places. */
  @derived get ranked(): RankedHead[] | null {
    const { heldOut, measures, likeness, thumbnails, state } = this;
    const [layers = 0, heads = 0] = thumbnails?.shape ?? [];
    const known = { heldOut, measures, likeness };
    return rankHeads({ layers, heads }, state.roleFilter, state.headSort, known);
  }

  get headDim(): number {
    return (this.shown && this.info?.stacks[this.shown.stack]?.headDim) ?? 0;
  }

  /** How many heads the layer has, and which of them are drawn beside the one that is shown. */
  get headCount(): number {
    return (this.shown && this.info?.stacks[this.shown.stack]?.heads) ?? 0;
  }

  @derived get beside(): readonly number[] {
    return this.shown && this.info ? headsBeside(this.state.beside, this.shown, this.info) : [];
  }

  /** What made the numbers that positions add. */
  @derived get origins(): PositionOrigins {
    const { info } = this;
    const origin = (stack: "encoder" | "decoder"): PositionOrigins["encoder"] =>
      info ? positionOrigin(info.positions, this.state.edits, stack) : "learnt";
    return { encoder: origin("encoder"), decoder: origin("decoder") };
  }

  @derived get silenced(): HeadDetail[] {
    return this.chosen && this.info ? silencedHeads(this.state, this.chosen.stack, this.info) : [];
  }

  /** Blocked in the head that is drawn, which is the one that is shown as soon as it was read. */
  @derived get blocked(): Cell[] {
    const drawn = this.figures?.head ?? this.shown;
    return drawn ? blockedCells(this.state.edits, drawn, this.figures?.mask ?? null) : [];
  }

  /** Those cells of its picture of which every cell of tokens is blocked. */
  @derived get blockedPlaces(): Cell[] {
    return this.displayed ? blockedPlaces(this.displayed, this.blocked) : [];
  }

  /** What is edited in words, as soon as there are words for it. */
  @derived get chips(): Chip[] {
    const { edits } = this.state;
    if (!this.info || !hasEdits(edits)) return [];
    const { run, applied } = this.computation;
    const tokens = ({ stack }: { stack?: Stack }): ReturnType<typeof tokensOf> =>
      run ? tokensOf(run, stack ?? "encoder") : { queries: [], keys: [] };
    return EDIT_LABELS.want()?.editChips(edits, applied?.misfits, tokens, this.onCpu) ?? [];
  }

  // ---- the pair and the tokens

  @derived get locked(): Cell | null {
    return this.seen(this.state.locked);
  }

  /** `hovered ?? locked`, and where there is neither, the strongest pair. */
  @derived get focused(): Cell | null {
    return (
      this.seen(this.pointing.hover.cell) ??
      this.locked ??
      (this.displayed && strongestAt(this.displayed))
    );
  }

  /** Where the tokens that were picked look together. */
  @derived get together(): Together | null {
    return this.displayed && this.info && togetherOf(this.state.picked, this.displayed, this.info);
  }

  @derived get source(): Strip {
    return this.first?.source ?? this.strip("source");
  }

  @derived get result(): Strip {
    return this.first?.result ?? this.strip("target");
  }

  /**
   * Where in the text the model is asked what it expects; null where it expects nothing. A decoder is asked what comes
   * after the query. An encoder is asked what stands where a token is hidden: at the query or the key, or else where one
   * was hidden last.
   */
  @derived get place(): Place | null {
    const { info, shown, focused, texts } = this;
    if (!info?.predicts || !shown || !focused) return null;
    const { query, key } = focused;
    if (shown.stack !== "encoder") return { kind: "after", position: query };
    if (info.architecture !== "encoder") return null;
    const gap = [query, key, ...this.state.hidden.toReversed()].find(
      (position) => texts.source[position]?.role === "mask",
    );
    return gap === undefined ? null : { kind: "instead", position: gap };
  }

  private seen(cell: Cell | null): Cell | null {
    const { displayed } = this;
    return displayed && placeIn(displayed, cell)
      ? cellWithin(cell, displayed.figures.stages.weights)
      : null;
  }

  private strip(side: Side): Strip {
    const { info, displayed, focused, locked, together, texts } = this;
    if (!info) return NO_STRIP;
    const { picked } = this.state;
    const axis = displayed && axisOf(side, displayed.figures.head.stack, info);
    const groups = axis && (axis === "query" ? displayed.rows : displayed.columns);
    // With a word all its pieces are held.
    const whole = (index: number): readonly number[] => groups?.[groupAt(groups, index)] ?? [index];
    const held = picked?.side === side ? picked.tokens : axis && locked ? [locked[axis]] : [];
    return {
      tokens: texts[side],
      focused: axis && focused ? focused[axis] : null,
      byWord: displayed?.lens.byWord ?? false,
      locked: [...new Set(held.flatMap(whole))],
      shares: together?.side === side ? together.shares : [],
    };
  }

  // ---- what was read of the run

  /** What is seen of the first State until all of its run is there. */
  @derived get first(): PrecomputedView | null {
    return this.sight.of(this.state, this.computation, this.displayed !== null && !this.coming);
  }

  get thumbnails(): Tensor | null {
    return this.first ? this.first.thumbnails : this.thumbnailsRead.about(this.shownStack);
  }

  /** The stack that is shown, and the one whose text the picture of positions is about. */
  @derived private get shownStack(): { stack: Stack } | null {
    return this.shown && { stack: this.shown.stack };
  }

  @derived private get positioned(): { stack: Stack } | null {
    return this.shown && { stack: positionedStack(this.shown.stack) };
  }

  /** What positions add to the stack's text, as the picture of positions shows it. */
  get positionTensor(): Tensor | null {
    return this.positionsRead.about(this.positioned);
  }

  get measures(): HeadMeasures[] | null {
    return this.measuresRead.about(this.shownStack);
  }

  /** What the head that is shown does on the present text. */
  @derived get measured(): HeadMeasures | null {
    const { shown } = this;
    return (
      this.measures?.find(({ layer, head }) => layer === shown?.layer && head === shown.head) ??
      null
    );
  }

  get likeness(): HeadLikeness[] | null {
    return this.likenessRead.about(this.chosen);
  }

  get spectrum(): SpectrumAnswer | null {
    return this.spectrumRead.about(this.shown);
  }

  /** Null where the model expects nothing that is shown. */
  get expectation(): Expectation | null {
    return this.place && this.expectationRead.value;
  }

  /** What can be exported of the first run; null while that would not be what is shown. */
  @derived get firstSubject(): ExportSubject | null {
    const { revision } = this.computation;
    return revision < 0 ? null : subjectOf(this.state, this, this.computation);
  }

  /** What can be exported of all that is shown. */
  get subject(): ExportSubject | null {
    const subject = this.firstSubject;
    return this.state.compare === null ? subject : (this.pairs?.exported(subject) ?? null);
  }

  /** What of the run was computed, and which blocks of it a GPU left to the CPU. */
  @derived get executed(): Executed | null {
    const { run, revision } = this.computation;
    return run && revision >= 0 ? run.executed() : null;
  }

  @derived get onCpu(): readonly BlockRef[] {
    const { run, revision } = this.computation;
    return run && revision >= 0 ? run.onCpu() : [];
  }

  /** What failed, in words; null where all went well. */
  get failure(): FailureWords | null {
    const failed = firstFailure(this.reads.all) ?? this.pairs?.failedRead ?? null;
    return failureWords(this.computation, failed, isOpened(this.state.model));
  }

  /** The model that worked last, to go back to from one that cannot be loaded. */
  get back(): ModelName | null {
    return this.left && this.left.model !== this.state.model ? this.left.model : null;
  }

  /** Whether anything is still being computed, read or fetched. */
  @derived private get coming(): boolean {
    return (
      this.computation.busy || this.reads.loading || (this.pairs?.busy ?? false) || isAnyComing()
    );
  }

  /** Whether that is so, or some of the page does not yet show what is there. */
  get busy(): boolean {
    return this.coming || this.turns.pending;
  }

  /** What the parts of the bench are about. */
  @derived get onBench(): BenchContext {
    const { state, shown, displayed, computation, figures, pointing } = this;
    const { model, run, revision, busy } = computation;
    return {
      edits: state.edits,
      head: shown,
      mask: displayed?.whole?.mask ?? null,
      model,
      run,
      revision,
      figures,
      text: state.text,
      growing: busy,
      numbers: state.numbers,
      painting: {
        blocking: pointing.blocking,
        reach: pointing.reach,
        change: (to) => Object.assign(pointing, to),
      },
    };
  }

  // ---- what follows by itself

  /** Loads and computes what the State asks for, and reads what the page shows of it. */
  begin(): void {
    this.stopFollowing = [
      this.store.listen((now, before) => this.follow(now, before)),
      ...this.reads.follow(),
      effect(() => this.fetchPairs()),
      effect(() => this.lookForGpu()),
      effect(() => this.compareWithLink()),
    ];
    this.backend.follow(this.state.backend);
    this.use();
  }

  /** Releases runs and models. */
  rest(): void {
    for (const stop of this.stopFollowing.splice(0)) stop();
    this.computation.leave();
    this.pairs?.leave();
    this.pairs = null;
    this.models.dispose();
  }

  /** Reads of the run what concerns a stack, or a head of it. */
  private ofRun<Subject extends { stack: Stack }, Answer>(
    subject: () => Subject | null | false,
    read: (run: Run, subject: Subject) => Promise<Answer>,
  ): () => Wanted<Answer> {
    return () => {
      const of = subject();
      const { run, revision, sourceRevision } = this.computation;
      if (!run) return null;
      if (of === false) return false;
      // Of a text that is still to be written there is nothing to draw: what was drawn stays until its first word.
      if (!of || (of.stack !== "encoder" && this.texts.target.length === 0)) return undefined;
      const state = of.stack === "encoder" ? sourceRevision : revision;
      return { key: `${state} ${JSON.stringify(of)}`, of, read: () => read(run, of) };
    };
  }

  /** Reads what stands beside the picture: a new picture comes first. */
  private besidePicture<Answer>(wanted: () => Wanted<Answer>): Resource<Answer> {
    return this.reads.add(
      () => (this.computation.run && this.turns.isBefore(1) ? undefined : wanted()),
      this.frames.publish,
    );
  }

  /** The first picture comes before the question what else could have computed it; what uses the GPU can be turned off again in any case. */
  private lookForGpu(): void {
    const ready = this.shown && this.computation.run && !this.busy;
    if (ready || this.state.backend === "webgpu") untracked(() => this.backend.look());
  }

  private fetchPairs(): void {
    if (this.comparison === null || this.pairs) return;
    const part = PAIRS.want();
    if (part) untracked(() => (this.pairs = new part.Pairs(this)));
  }

  private compareWithLink(): void {
    const { chosen, displayed, texts, state } = this;
    const settled = displayed?.figures.run === this.computation.run && !this.busy;
    untracked(() =>
      this.links.check.follow(state, {
        chosen,
        displayed: settled ? displayed : null,
        sourceTokens: texts.source.length,
        targetTokens: texts.target.length,
      }),
    );
  }

  /** What has to happen when the State changed: the engine comes first, it computes while the page is rendered. */
  private follow(now: State, before: State): void {
    if (!isOnlyWritten(now, before)) this.turns.end();
    this.pointing.settle();
    if (this.backend.follow(now.backend)) {
      this.models.dispose();
      this.use();
    } else if (now.model !== before.model) {
      if (this.computation.model) this.left = before;
      this.use();
    } else if (
      now.text !== before.text ||
      now.hidden !== before.hidden ||
      now.target !== before.target ||
      now.edits !== before.edits
    ) {
      this.forgive();
      void this.computation.compute(now);
    }
  }

  private use(): void {
    const { state } = this;
    this.forgive();
    this.pointing.clear();
    void this.computation.use(state.model, state);
  }

  /** Forgets what could not be read of this run: another is coming. */
  private forgive(): void {
    this.reads.forgive();
    this.pairs?.forgive();
  }

  /** Takes the notice of a GPU that was left from the page, once it is used again or left again. */
  private forgetLeft(): void {
    for (const way of WAYS_TO_LEAVE) this.notices.take(`notice.${way}`);
  }

  // ---- what a person asks for

  /** Changes fields of the State; what goes with a text moves along with it. */
  update(change: Partial<State>): void {
    const { text } = change;
    this.store.update(
      text === undefined
        ? change
        : { ...change, pairs: [], hidden: hiddenAfter(this.state, text, this.computation.model) },
    );
  }

  switchTo(model: ModelName): void {
    if (model !== this.state.model) this.store.update(switchPatch(this.state, model));
  }

  /** From a model that cannot be loaded to the last one that could. */
  goBack(): void {
    if (this.left) this.store.update(backPatch(this.left, this.state));
  }

  openFolder({ name, files }: PickedFolder): void {
    const opened = this.models.add(name, files);
    // Opened once more, perhaps because it was mended.
    if (opened === this.state.model) this.use();
    else this.switchTo(opened);
  }

  command(name: Command): void {
    const { store, computation, links, page } = this;
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
        this.forgive();
        computation.again();
      },
      "copy-link": () => void links.copyLink(),
      "save-page": () => links.saveFile(),
      "show-keys": () => page.showKeys?.(),
      "start-tour": () => page.startTour?.(),
    };
    commands[name]();
  }
}

/** The session of the explorer that an element stands in. */
export const sessionContext = createContext<Session>("headscope-session");

/** A panel of an explorer: it renders again when what it reads of the session changes, in its turn after a new picture. */
export class SessionPart extends PagePart {
  @consume({ context: sessionContext })
  @property({ attribute: false })
  session!: Session;

  /** When it shows a new picture or what follows from it: with the picture, with the texts, or after them. */
  protected readonly turn: 0 | 1 | 2 = 2;

  protected override signalled(): void {
    if (!this.session.turns.isBefore(this.turn)) super.signalled();
  }
}
