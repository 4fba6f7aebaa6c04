import { html, nothing, type TemplateResult } from "lit";
import { message } from "../../i18n/index.js";
import { unusualStages, type HandPair, type State, type Store } from "../../state/index.js";
import { sentenceOf } from "../explorer/failure-words.js";
import type { Scene } from "../explorer/scene.js";
import {
  folderName,
  hiddenIn,
  type ComparedSubject,
  type ExportSubject,
} from "../export/subject.js";
import { modelLabel } from "../models.js";
import type { SideTokenDetail } from "../parts/sentence-bar.js";
import { type Computation, isBlank } from "../run/computation.js";
import { axisOf } from "../run/selection.js";
import type { Shelf } from "../run/model-pool.js";
import type { ExpectationChange, HeadChange } from "./head-change.js";
import { PairDesk } from "./desk.js";
import "./edit-changes.js";
import type { OtherTokenDetail } from "./other-bar.js";
import "./other-bar.js";
import type { PairNames } from "./alignment.js";
import "./pairs-panel.js";
import { otherTextOf } from "./wish.js";
import type { WordPair } from "./alignment.js";

/** What the side needs of the page that it is on. */
export interface PairHost {
  changed: () => void;
  /** Touches a token of the first text. */
  touch: (detail: SideTokenDetail) => void;
}

/** A second run on the page: where its text is typed, its pictures beside the first run's, and what edits changed. */
export class PairSide {
  private readonly desk: PairDesk;
  private scene: Scene | null = null;

  constructor(
    private readonly store: Store,
    private readonly shelf: Shelf,
    private readonly computation: Computation,
    private readonly host: PairHost,
  ) {
    this.desk = new PairDesk(shelf, host.changed);
  }

  /** Whether the page shows two runs. */
  get shown(): boolean {
    return this.state.compare !== null;
  }

  /** Why something of the second run could not be read; null while all could. */
  get unread(): unknown {
    return this.desk.failure;
  }

  forgive(): void {
    this.desk.forgive();
  }

  get busy(): boolean {
    return this.desk.busy;
  }

  /** Follows what the page shows of the first run. */
  update(scene: Scene): void {
    this.scene = scene;
    this.desk.update(this.state, scene, this.computation);
  }

  /** Lets the second run go. */
  leave(): void {
    this.desk.other.clear();
  }

  /** What active edits changed, for the inspector; null without any. */
  get changes(): { head: HeadChange | null; expectation: ExpectationChange | null } | null {
    const { desk } = this;
    if (desk.comparison !== "original") return null;
    return { head: desk.stale ? null : desk.change.value, expectation: desk.expectation.value };
  }

  /** Where the second text is typed; nothing while the page shows one run. */
  renderBar(): TemplateResult | typeof nothing {
    const { desk, state, scene } = this;
    if (!scene || state.compare === null) return nothing;
    const { other } = desk;
    const writes = other.model?.info.architecture === "encoder-decoder";
    return html`<headscope-other-bar
      part="sentence"
      .compare=${state.compare}
      .model=${state.model}
      .otherModel=${state.otherModel}
      .opened=${this.shelf.opened}
      .text=${otherTextOf(state)}
      .translation=${writes ? (other.run?.targetText ?? null) : null}
      .source=${desk.strip("source", state, scene, this.computation)}
      .result=${desk.strip("target", state, scene, this.computation)}
      .stale=${desk.stale}
      .held=${scene.locked !== null}
      .aligned=${state.aligned}
      .failure=${this.failure}
      .download=${other.download}
      @headscope-other-again=${() => other.again()}
      @headscope-other-token=${(event: CustomEvent<OtherTokenDetail>) => this.touched(event.detail)}
    ></headscope-other-bar>`;
  }

  /** What can be exported: both runs, where the page shows two; null while they are not those that are asked for. */
  exported(subject: ExportSubject | null): ExportSubject | null {
    if (!this.shown) return subject;
    const compared = subject && this.comparedWith(subject);
    return compared && { ...subject, compared };
  }

  private comparedWith({ figures, target }: ExportSubject): ComparedSubject | null {
    const { desk, state } = this;
    const { paired } = desk;
    const { run, model, failure } = desk.other;
    if (
      !paired ||
      !run ||
      !model ||
      failure ||
      desk.stale ||
      paired.one !== figures ||
      paired.other.run !== run
    )
      return null;
    const original = state.compare === "original";
    const text = original ? state.text : otherTextOf(state);
    const written = model.info.architecture === "encoder-decoder" ? run.targetText : null;
    const given = text === state.text && written !== null ? state.target : null;
    const name = (original ? null : state.otherModel) ?? state.model;
    const reading = {
      model: folderName(name),
      text,
      target: original ? target : (given ?? written),
      hidden: hiddenIn(run),
      ...paired.other.head,
      edits: {},
    };
    return {
      paired,
      reading,
      names: this.names,
      words: () => desk.allWords(state, this.computation),
      shownWords: this.comparable,
    };
  }

  /** Words that the page looks at and that have a counterpart; none of models whose states have no axes in common. */
  private get comparable(): WordPair[] {
    return this.sameModel ? this.desk.words.filter(({ other }) => other !== null) : [];
  }

  private get sameModel(): boolean {
    return this.desk.other.model === this.computation.model;
  }

  /** Size of a head's queries and keys in the second run; as in the first until that is known. */
  private get otherDim(): number {
    const stack = this.desk.paired?.other.head.stack;
    return (
      (stack && this.desk.other.model?.info.stacks[stack]?.headDim) ?? this.scene?.headDim ?? 0
    );
  }

  /** Both runs' pictures. */
  renderPanel(subject: ExportSubject | null, linkCopied: boolean): TemplateResult {
    const { desk, state, scene } = this;
    return html`<headscope-pairs-panel
      part="picture-panel"
      .stage=${state.stage}
      .region=${state.region}
      .colours=${state.colours}
      .headDim=${scene?.headDim ?? 0}
      .otherDim=${this.otherDim}
      .unusual=${scene?.shown ? unusualStages(state.edits, scene.shown) : []}
      .info=${this.computation.model?.info ?? null}
      .paired=${desk.paired}
      .names=${this.names}
      .focused=${scene?.focused ?? null}
      .locked=${scene?.locked ?? null}
      .blocked=${scene?.blocked ?? []}
      .words=${desk.words}
      .cosines=${desk.cosines.value}
      .moved=${state.compare === "original" ? desk.moved.value : null}
      .expectation=${state.compare === "original" ? desk.expectation.value : null}
      .sameModel=${this.sameModel}
      .stale=${desk.stale}
      .subject=${subject}
      .linkCopied=${linkCopied}
      .download=${this.computation.download}
      .failed=${this.failure !== null}
      .blank=${isBlank(state.text) || (state.compare === "other" && isBlank(otherTextOf(state)))}
    ></headscope-pairs-panel>`;
  }

  private get state(): State {
    return this.store.state;
  }

  /** A run is called by what sets it apart from the other: its edits, or its text, and its model where there are two. */
  private get names(): PairNames {
    const { state } = this;
    if (state.compare === "original")
      return { one: message("pairs.edited"), other: message("pairs.original") };
    const model = state.otherModel ?? state.model;
    const name = (text: string, own: string): string =>
      model === state.model ? text : message("pairs.named", { model: own, text });
    return {
      one: name(state.text, modelLabel(state.model)),
      other: name(otherTextOf(state), modelLabel(model)),
    };
  }

  private get failure(): string | null {
    const { failure, model } = this.desk.other;
    return (
      failure &&
      sentenceOf(failure, {
        maxTokens: model?.info.maxTokens ?? 0,
        showsEarlierText: false,
        ownFolder: false,
      })
    );
  }

  /** A token of the second text stands for its counterpart, or becomes the counterpart of the one that is held. */
  private touched({ side, index, action }: OtherTokenDetail): void {
    const { desk, state, scene, host } = this;
    const info = this.computation.model?.info;
    if (!scene || !info) return;
    const alignment = desk.alignmentOf(side, state, this.computation);
    const one = index === null ? null : (alignment?.toOne[index] ?? null);
    const axis = scene.figures && axisOf(side, scene.figures.head.stack, info);
    const held = axis && scene.locked ? scene.locked[axis] : null;
    if (action === "lock" && index !== null && held !== null && held !== one)
      this.pairUp({ side, one: held, other: index });
    else if (index === null || one !== null) host.touch({ side, index: one, action });
  }

  private pairUp(pair: HandPair): void {
    const others = this.state.pairs.filter(
      ({ side, one, other }) => side !== pair.side || (one !== pair.one && other !== pair.other),
    );
    this.store.update({ pairs: [...others, pair] });
  }
}
