import * as data from "../../data/index.js";
import type { HeadDetail } from "../../elements/events.js";
import type { HeadRole } from "../../elements/grid/element.js";
import type { ImageLike, Model, Run } from "../../headscope.js";
import { batch, derived, type Resource, Resources, tracked, type Wanted } from "../../signals.js";
import { blockedCells, positionOrigin, type State, unusualStages } from "../../state/index.js";
import type { Computation } from "./computation.js";
import { firstFailure } from "./failures.js";
import * as heads from "./head.js";
import { assignedRoles, type KnownRoles, roleCaptions, rolesByHead } from "./head-order.js";
import {
  type AskedAttribution,
  askedAttribution,
  type AskedLayers,
  askedLayers,
  chosenDepth,
  type ReadLayers,
  readLayers,
} from "./layers.js";
import { askedNumbers, type AskedThumbnails, askedThumbnails } from "./other-numbers.js";
import { lensOf, pairPictureOf } from "./pair-pictures.js";
import type { Hover } from "./pointing.js";
import { type Explained, explainNumber, heldNumber, readSpectrum } from "./readings.js";
import type { SpectrumAnswer } from "./readings.js";
import * as selection from "./selection.js";
import { ShownImage } from "./shown-image.js";

/** The steps of a block, with the head that they were read for. */
interface Block {
  figures: heads.HeadFigures;
  steps: data.StepTensor[];
}

/**
 * The readings of a run for a State, and the values derived from both: of an explorer (`Session`),
 * or of a figure in another page (`FigureView`).
 */
export abstract class RunView {
  abstract readonly state: State;
  abstract readonly computation: Pick<
    Computation,
    "model" | "run" | "revision" | "sourceRevision" | "restarts"
  >;
  abstract readonly hover: Hover;
  /** The hovered number of a block's steps, valid for the same block. */
  @tracked private hoveredNumber: { block: Block | null; cell: data.StepCell } | null = null;

  /** The image that a model of images reads. */
  readonly shownImage = new ShownImage();
  readonly reads = new Resources();
  readonly headRead = this.reads.add(
    this.ofRun(() => this.drawn, heads.readHead),
    (show) => this.showPicture(show),
  );
  readonly positionsRead = this.reads.add(
    this.ofRun(
      () => this.state.picture === "positions" && this.positioned,
      (run, { stack }) => run.positions({ stack }),
    ),
  );
  readonly layersRead = this.reads.add(this.ofRun(() => this.layered, readLayers));
  readonly stepsRead = this.reads.add(() => {
    const { figures, state } = this;
    if (state.picture !== "steps" || !figures) return null;
    const { run, head } = figures;
    return { key: figures, read: async () => ({ figures, steps: await run.steps(head) }) };
  });
  readonly explainedRead = this.reads.add(() => {
    const { number } = this;
    if (!number) return this.block && undefined;
    const { block, place } = number;
    return { key: number, read: () => explainNumber(block.figures.run, place) };
  });
  readonly thumbnailsRead = this.besidePicture(
    () => this.thumbnailed,
    (run, asked) => {
      const size = heads.THUMBNAIL_SIZE;
      if ("stage" in asked) return run.thumbnails({ ...asked, size });
      return import("./effect-thumbnails.js").then(({ shownEffects }) =>
        shownEffects(run, asked, this.sizes),
      );
    },
  );
  readonly measuresRead = this.besidePicture(
    () => this.shownStack,
    (run, { stack }) => run.measures({ stack }),
  );
  private readonly divergencesRead = this.besidePicture(
    () => this.chosen,
    (run, head) => run.headDivergences(head),
  );
  readonly spectrumRead = this.besidePicture(
    () => !["positions", "layers"].includes(this.state.picture) && this.shown,
    readSpectrum,
  );

  readonly retentionRead = this.besidePicture(
    () =>
      !["positions", "layers"].includes(this.state.picture) &&
      this.shown?.stack !== "cross" &&
      this.shown,
    (run, head) => run.contentRetention(head),
  );

  readonly attributionRead = this.besidePicture(
    () => this.attributed,
    (run, { asked }) => run.attribution(asked),
  );

  readonly imageRead = this.reads.add(() => {
    const { pictured } = this;
    return pictured && { key: pictured, read: () => pictured.model.preprocess(pictured.image) };
  });

  @derived get info(): data.ModelInfo | null {
    const { model, restarts } = this.computation;
    return model && restarts >= 0 ? model.info : null;
  }
  get sizes(): data.ModelInfo["stacks"] {
    return this.info?.stacks ?? {};
  }

  /** The displayed image as the model reads it, once it is processed; null for a model of texts. */
  get image(): ImageLike | null {
    return this.imageRead.value;
  }
  @derived private get pictured(): { model: Model; image: ImageLike } | null {
    const { model } = this.computation;
    return model && this.info?.image ? { model, image: this.shownImage.current } : null;
  }

  // The head.

  /** The chosen head. The shown head is the hovered one, or else the chosen one. */
  @derived get chosen(): data.HeadRef | null {
    return this.info && selection.chosenHead(this.state, this.info);
  }
  @derived get shown(): data.HeadRef | null {
    const { head } = this.hover;
    return head && head.stack === this.chosen?.stack ? head : this.chosen;
  }
  get size(): data.ModelInfo["stacks"][data.Stack] {
    return this.shown ? this.sizes[this.shown.stack] : undefined;
  }

  /** The readings that the picture needs of the head. */
  @derived protected get drawn(): heads.HeadRequest | null {
    const { shown, beside } = this;
    const { picture, edits } = this.state;
    return (
      shown && {
        ...shown,
        ...pairPictureOf(picture)?.request?.(beside),
        drops: edits.attention.some(({ dropout }) => dropout),
        other: this.info && askedNumbers(this.state, this.info),
      }
    );
  }
  get figures(): heads.HeadFigures | null {
    return this.headRead.value;
  }
  @derived private get lens(): heads.Lens {
    return lensOf(this.state);
  }

  /** The head as the picture shows it: by word, without special tokens, without the sink. */
  @derived get displayed(): heads.DisplayedPattern | null {
    return this.info && this.figures && heads.displayPattern(this.figures, this.lens);
  }

  /** The stages of the displayed head to which edits give another formula. */
  @derived get unusual(): readonly data.Stage[] {
    const head = this.figures?.head;
    return head ? unusualStages(this.state.edits, head, this.info) : [];
  }

  /**
   * The role scores of the stack: on held-out text if the model has such scores, else on the
   * present text; null until there are some.
   */
  @derived get knownRoles(): KnownRoles | null {
    const { notes = null } = this.computation.model ?? {};
    const { chosen, measures } = this;
    const heldOut = chosen && notes?.roles[chosen.stack];
    if (heldOut) return { basis: "heldOut", scores: heldOut };
    return measures && { basis: "here", scores: rolesByHead(measures) };
  }
  /** The roles of each head of the stack. */
  @derived get roles(): HeadRole[][] | null {
    return assignedRoles(this.knownRoles);
  }
  @derived get captions(): string[][] | null {
    return roleCaptions(this.roles);
  }
  /** The heads that are drawn with the shown one; none in a comparison, which has two sides. */
  @derived get beside(): readonly number[] {
    return this.shown && this.info && this.state.compare === null
      ? selection.headsBeside(this.state.beside, this.shown, this.info)
      : [];
  }
  @derived get origins(): data.PositionOrigins {
    const { info } = this;
    const origin = (stack: data.BlockStack): data.PositionOrigins["encoder"] =>
      info ? positionOrigin(info.positions, this.state.edits, stack) : "learnt";
    return { encoder: origin("encoder"), decoder: origin("decoder") };
  }
  @derived get ablated(): HeadDetail[] {
    const { chosen, info, state } = this;
    return chosen && info ? selection.ablatedHeads(state, chosen.stack, info) : [];
  }

  /** The cells that are blocked in the displayed head, or in the shown head until it is read. */
  @derived get blocked(): data.Cell[] {
    const drawn = this.figures?.head ?? this.shown;
    return drawn ? blockedCells(this.state.edits, drawn, this.figures?.mask ?? null) : [];
  }
  @derived get blockedPlaces(): data.Cell[] {
    return this.displayed ? heads.blockedPlaces(this.displayed, this.blocked) : [];
  }

  // The pair.

  @derived get locked(): data.Cell | null {
    return this.visible(this.state.locked);
  }

  /** Whether the model is still writing the text. */
  abstract get writing(): boolean;

  /**
   * The pair under the pointer, or else the locked one, or else the one with the largest weight, of
   * the query that the page opens on if there is one.
   */
  @derived get focused(): data.Cell | null {
    return this.visible(this.hover.cell) ?? this.resting;
  }

  /** The pair in focus while the pointer is elsewhere. */
  @derived get resting(): data.Cell | null {
    return this.locked ?? this.strongest;
  }
  @derived private get strongest(): data.Cell | null {
    const { displayed, info, writing } = this;
    if (!displayed || !info) return null;
    const { head, queries } = displayed.figures;
    return heads.strongestAt(displayed, selection.openingQuery(head, queries, info, writing));
  }

  private visible(cell: data.Cell | null): data.Cell | null {
    const { displayed } = this;
    return displayed && heads.placeIn(displayed, cell)
      ? selection.cellWithin(cell, displayed.figures.stages.weights)
      : null;
  }

  // The steps of the head's block.

  /**
   * The steps of the block; null if they could not be read, so that those of another head are not
   * shown.
   */
  get block(): Block | null {
    return firstFailure([this.stepsRead]) === null ? this.stepsRead.value : null;
  }
  get held(): data.StepCell | null {
    return heldNumber(this.block?.steps ?? [], this.state.number, this.focused);
  }
  get explained(): Explained | null {
    return this.explainedRead.value;
  }

  /**
   * The explained number: the hovered one, or else the selected one, once the steps belong to the
   * displayed head.
   */
  @derived private get number(): { block: Block; place: data.StepPlace } | null {
    const { block, held, hoveredNumber, figures } = this;
    const cell = hoveredNumber?.block === block ? hoveredNumber.cell : held;
    return block && cell && block.figures === figures
      ? { block, place: { ...figures.head, ...cell } }
      : null;
  }

  hoverNumber(cell: data.StepCell | null): void {
    this.hoveredNumber = cell && { block: this.block, cell };
  }

  // What each layer predicts.

  @derived get layered(): AskedLayers | null {
    const { info, state } = this;
    return info && state.picture === "layers" ? askedLayers(info, state.entry) : null;
  }
  get layers(): ReadLayers | null {
    return this.layersRead.about(this.layered);
  }
  /** The selected prediction: that of the State if the run has it, or the last one. */
  @derived get depth(): data.DepthPlace | null {
    return this.layers && chosenDepth(this.layers, this.state.depth);
  }
  /** The logit whose parts are shown, and the head whose part is a sum over keys. */
  @derived get attributed(): AskedAttribution | null {
    const { layers, depth, layered, shown, state } = this;
    if (!layers || !depth || !layered) return null;
    return askedAttribution(layers, depth, layered, shown, state.against);
  }
  get attribution(): data.Attribution | null {
    return this.attributionRead.about(this.attributed);
  }

  // What stands beside the picture.

  get thumbnails(): data.Tensor | null {
    return this.thumbnailsRead.about(this.thumbnailed);
  }
  /** The thumbnails of the numbers that the picture shows, if single heads have those. */
  @derived private get thumbnailed(): AskedThumbnails | null {
    const { shown, info, state } = this;
    return shown && info && askedThumbnails(state, this.chosen ?? shown, info);
  }
  @derived private get shownStack(): { stack: data.Stack } | null {
    return this.shown && { stack: this.shown.stack };
  }
  @derived private get positioned(): { stack: data.Stack } | null {
    return this.shown && { stack: data.blockStackOf(this.shown) };
  }
  get positionTensor(): data.Tensor | null {
    return this.positionsRead.about(this.positioned);
  }
  get measures(): data.HeadMeasures[] | null {
    return this.measuresRead.about(this.shownStack);
  }
  get divergences(): data.HeadDivergence[] | null {
    return this.divergencesRead.about(this.chosen);
  }
  get spectrum(): SpectrumAnswer | null {
    return this.spectrumRead.about(this.shown);
  }
  get retention(): data.ContentRetention | null {
    return this.retentionRead.about(this.shown);
  }

  /**
   * Shows a picture that was read, and the panels beside it, immediately unless a subclass delays
   * them.
   */
  protected showPicture(show: () => void): void {
    batch(show);
  }
  protected showBeside(show: () => void): void {
    batch(show);
  }

  /** Whether a new picture is shown before the panels beside it are read. */
  protected isPictureFirst(): boolean {
    return false;
  }

  /** A read of the run about a stack, or a head of it. */
  protected ofRun<Subject extends { stack: data.Stack }, Answer>(
    subject: () => Subject | null | undefined | false,
    read: (run: Run, subject: Subject) => Promise<Answer>,
  ): () => Wanted<Answer> {
    return () => {
      const of = subject();
      const { run, revision, sourceRevision } = this.computation;
      if (!run) return null;
      if (!of) return of;
      const state = of.stack === "encoder" ? sourceRevision : revision;
      // A text that is still to be written has nothing to draw: the earlier picture stays until its
      // first word.
      if (of.stack !== "encoder" && run.targetTokens.length === 0) return undefined;
      return { key: `${state} ${JSON.stringify(of)}`, of, read: () => read(run, of) };
    };
  }

  /** A read for the panels beside the picture. */
  protected besidePicture<Subject extends { stack: data.Stack }, Answer>(
    subject: () => Subject | null | undefined | false,
    read: (run: Run, subject: Subject) => Promise<Answer>,
  ): Resource<Answer> {
    const wanted = this.ofRun(subject, read);
    return this.reads.add(
      () => (this.computation.run && this.isPictureFirst() ? undefined : wanted()),
      (show) => this.showBeside(show),
    );
  }
}
