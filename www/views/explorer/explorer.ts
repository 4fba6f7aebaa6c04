import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { Cell } from "../../data/index.js";
import type { HeadDetail } from "../../elements/events.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { hasEdits, isBundled, Store, toggleCells, toggleHead, type ModelName, type State } from "../../state/index.js";
import { subjectOf } from "../export/subject.js";
import "../parts/download-status.js";
import "../parts/drop-target.js";
import "../parts/edits-panel.js";
import type { Command } from "../parts/events.js";
import "../parts/heads-panel.js";
import "../parts/keys-dialog.js";
import type { HeadscopeKeysDialog } from "../parts/keys-dialog.js";
import "../parts/notices.js";
import "../parts/page-footer.js";
import "../parts/picture-panel.js";
import "../parts/sentence-bar.js";
import type { SideTokenDetail } from "../parts/sentence-bar.js";
import { PagePart } from "../parts/page-part.js";
import { partStyles } from "../parts/styles.js";
import "../parts/top-bar.js";
import { Computation, isBlank } from "../run/computation.js";
import { isExpected } from "../run/failures.js";
import { FigureDesk, ofHead, ofStack, positionedStack } from "../run/figures.js";
import type { PickedFolder } from "../run/picked-folder.js";
import { addressOf, keptOffline } from "../run/kept-models.js";
import { cellAt, cellsAt } from "../run/looked-cells.js";
import { models } from "../run/model-pool.js";
import { neighbourOf } from "../run/selection.js";
import { Shelf } from "../run/shelf.js";
import { TourGuide } from "../tour/guide.js";
import { Exchange } from "./exchange.js";
import { failureWords } from "./failure-words.js";
import { heldOutScores, measuresOf, roleCaptions } from "./head-roles.js";
import { switchPatch } from "./model-switch.js";
import { inspectorOf } from "./inspector-view.js";
import type { HeadscopePairsPanel } from "../pairs/pairs-panel.js";
import { PairSide } from "../pairs/side.js";
import type { HeadscopePicturePanel } from "../parts/picture-panel.js";
import { NextFrame } from "./next-frame.js";
import { NoticeBoard } from "./notice-board.js";
import { NO_HOVER, sceneOf, type Hover, type Scene } from "./scene.js";
import { shortcutOf, type Shortcut } from "./shortcuts.js";
import { phoneStyles } from "./phone-styles.js";
import { PhoneTabs } from "./phone-tabs.js";
import { Stay } from "./stay.js";
import { explorerStyles } from "./styles.js";
import { hiddenAfter } from "./text-change.js";
import { touchOf } from "./token-touch.js";

/**
 * The whole explorer: a sentence, every head that reads it, and what the model makes of it. It holds the State,
 * hands each part what it shows, and takes back what a person asks for.
 */
@customElement("headscope-explorer")
export class HeadscopeExplorer extends PagePart {
  static override styles = [partStyles, explorerStyles, phoneStyles];

  /** The element of somebody's page that it fills. Without one it is a page of its own, which keeps the address and the theme of the document and has all keys. */
  @property({ attribute: false }) place: HTMLElement | null = null;

  @state() private hover: Hover = NO_HOVER;
  @state() private blocking = false;
  @state() private readFailure: unknown = null;
  @state() private opensOffline = false;
  @query("headscope-keys-dialog") private readonly keys!: HeadscopeKeysDialog;
  @query("headscope-picture-panel, headscope-pairs-panel") private readonly picture!: HeadscopePicturePanel | HeadscopePairsPanel;

  private readonly store = new Store();
  private readonly notices = new NoticeBoard(() => this.requestUpdate());
  private readonly exchange = new Exchange(this.store, this.notices, () => this.requestUpdate());
  private readonly shelf = new Shelf(keptOffline(models.load, () => (this.opensOffline = true)), addressOf);
  private readonly nextFrame = new NextFrame(() => this.requestUpdate());
  private readonly computation = new Computation(this.shelf, {
    changed: () => this.requestUpdate(),
    grown: () => this.nextFrame.ask(),
    restarted: () => this.notices.post("notice.restarted"),
    foreseen: () => this.desk.foreseen,
  });
  private readonly unread = (thrown: unknown): void => {
    if (!isExpected(thrown)) this.readFailure = thrown;
  };
  private readonly desk = new FigureDesk(() => this.requestUpdate(), this.unread, () => this.nextFrame.ask());
  private readonly pairs = new PairSide(this.store, this.shelf, this.computation, {
    changed: () => this.requestUpdate(),
    failed: this.unread,
    touch: (detail) => this.touchToken(new CustomEvent("headscope-side-token", { detail })),
  });
  private readonly tabs = new PhoneTabs(this);
  private readonly tour = new TourGuide(this, this.store, () => this.computation.run !== null && !this.busy, (place) => this.tabs.reveal(place));
  private scene: Scene | undefined;

  constructor() {
    super();
    new Stay(this, this.store, this.exchange, {
      begin: () => this.use(this.store.state),
      rest: () => {
        this.computation.leave();
        this.pairs.leave();
        this.shelf.dispose();
      },
      follow: (now, before) => this.follow(now, before),
      pressed: this.pressed,
    });
  }

  protected override willUpdate(): void {
    const { computation, desk, store } = this;
    if (!computation.run) desk.clear();
    this.scene = sceneOf(store.state, computation, desk.head.value, this.hover, this.scene);
    this.pairs.update(this.scene);
    const { run, revision, sourceRevision } = computation;
    if (!run || !this.scene.shown) return;
    const moment = { run, revision, sourceRevision };
    desk.wantHead(moment, this.scene.shown, store.state.picture, this.scene.beside);
    desk.wantExpectation(moment, this.scene.place);
    if (this.scene.chosen) desk.wantLikeness(moment, this.scene.chosen);
  }

  protected override render(): TemplateResult {
    const { scene, computation, store } = this;
    if (!scene) return html``;
    const { state } = store;
    const { notes = null, notesProblem = null, info = null } = computation.model ?? {};
    const { architecture, chosen, shown } = scene;
    const measures = ofStack(this.desk.measures.value, shown?.stack);
    const edited = hasEdits(state.edits) && state.target === null && architecture === "encoder-decoder";
    const stale = computation.failure !== null && computation.run !== null;
    const translation = computation.run?.targetText ?? "";
    const inspected = state.picture !== "positions" && !this.pairs.shown;
    const subject = this.pairs.exported(subjectOf(state, scene, computation));
    const unedited = edited && computation.unedited?.text === state.text ? computation.unedited.translation : null;
    return html`
      <button class="skip" @click=${this.tabs.skip}>${message("page.skip")}</button>
      <headscope-top-bar
        .info=${info}
        .model=${state.model}
        .opened=${this.shelf.opened}
        .ready=${this.shelf.ready}
        .theme=${state.theme}
        .linkCopied=${this.exchange.linkCopied}
        .exports=${subject !== null}
        @headscope-patch=${this.patch}
        @headscope-command=${this.command}
        @headscope-export=${(event: CustomEvent<Element>) => this.picture.openExport(event.detail)}
        @headscope-model=${(event: CustomEvent<ModelName>) => this.switchTo(event.detail)}
        @headscope-folder=${this.openFolder}
      ></headscope-top-bar>
      ${this.tour.render()}
      <headscope-sentence-bar
        .text=${state.text}
        .target=${state.target}
        .translation=${translation}
        .stale=${stale}
        .writing=${computation.progress?.finished === false}
        .model=${state.model}
        .architecture=${architecture}
        .hideable=${architecture === "encoder" && info?.predicts === true && info.maskToken !== null}
        .continuation=${computation.continuation}
        .expectation=${scene.place && this.desk.expectation.value}
        .endToken=${info?.endToken ?? null}
        .settled=${!computation.busy && computation.run !== null}
        .unit=${state.unit}
        .specials=${state.specials}
        .source=${scene.source}
        .result=${scene.result}
        .compare=${state.compare}
        @headscope-patch=${this.patch}
        @headscope-step=${(event: CustomEvent<Partial<State>>) => this.store.step(event.detail)}
        @headscope-side-token=${this.touchToken}
      ></headscope-sentence-bar>
      ${this.pairs.renderBar()}
      <headscope-notices
        .progress=${computation.slow ? computation.progress : null}
        .stopped=${computation.stopped}
        .failure=${failureWords(this.computation, this.readFailure, !isBundled(state.model))}
        .notices=${this.notices.list}
        @headscope-command=${this.command}
        @headscope-notice-dismiss=${(event: CustomEvent<MessageKey>) => this.notices.take(event.detail)}
      ></headscope-notices>
      ${this.tabs.render(scene, inspected)}
      <div
        role=${this.place ? "group" : "main"}
        aria-busy=${this.busy}
        class=${classMap({ parts: true, stale })}
        @headscope-cell-hover=${(event: CustomEvent<Cell | null>) => this.hoverCell(this.ofTokens(event.detail))}
        @headscope-cell-lock=${(event: CustomEvent<Cell | null>) => this.store.update({ locked: this.ofTokens(event.detail) })}
        @headscope-cell-toggle=${this.toggleCell}
        @headscope-patch=${this.patch}
        @headscope-command=${this.command}
      >
        <headscope-heads-panel
          .stacks=${scene.stacks}
          .stack=${chosen?.stack ?? scene.stacks[0] ?? state.stack}
          .chosen=${chosen}
          .shown=${shown}
          .notes=${notes}
          .notesProblem=${notesProblem}
          .captions=${roleCaptions(notes, chosen?.stack)}
          .heldOut=${heldOutScores(notes, shown)}
          .here=${measuresOf(measures, shown)?.roles ?? null}
          .filter=${state.roleFilter}
          .sort=${state.headSort}
          .measures=${measures}
          .likeness=${ofHead(this.desk.likeness.value, chosen)}
          .thumbnails=${ofStack(this.desk.thumbnails.value, chosen?.stack)}
          .colours=${state.colours}
          .silenced=${scene.silenced}
          .edits=${state.edits}
          .state=${state}
          .folded=${this.tabs.open !== null}
          @headscope-head-hover=${this.hoverHead}
        ></headscope-heads-panel>
        ${this.pairs.shown ? this.pairs.renderPanel(subject, this.exchange.linkCopied) : html`<headscope-picture-panel
          .picture=${state.picture}
          .stage=${state.stage}
          .colours=${state.colours}
          .looked=${scene.looked}
          .positions=${shown && ofStack(this.desk.positions.value, positionedStack(shown.stack))}
          .blank=${isBlank(state.text)}
          .blocked=${scene.blocked}
          .focused=${scene.focused}
          .locked=${scene.locked}
          .blocking=${this.blocking}
          .headDim=${scene.headDim}
          .headCount=${scene.headCount}
          .tokenTypes=${scene.tokenTypes}
          .mass=${state.mass}
          .region=${state.region}
          .beside=${state.beside}
          .number=${state.number}
          .download=${computation.download}
          .subject=${subject}
          .linkCopied=${this.exchange.linkCopied}
          @headscope-blocking=${(event: CustomEvent<boolean>) => (this.blocking = event.detail)}
        ></headscope-picture-panel>`}
        ${inspected ? inspectorOf(scene, this.desk, { pointed: this.hover.cell !== null, info, changes: this.pairs.changes, state }) : nothing}
      </div>
      <section aria-label=${message("edits.title")} class=${classMap({ edits: true, sticky: hasEdits(state.edits) })}><headscope-edits-panel
        .edits=${state.edits}
        .chips=${scene.chips}
        .translation=${edited ? translation : null}
        .unedited=${computation.progress?.finished === false ? null : unedited}
        .architecture=${architecture}
        .undoes=${store.undoes}
        .redoes=${store.redoes}
        .bench=${state.bench}
        .head=${shown}
        .mask=${scene.looked?.whole?.mask ?? null}
        .compare=${state.compare}
        @headscope-patch=${this.patch}
        @headscope-step=${(event: CustomEvent<Partial<State>>) => this.store.step(event.detail)}
        @headscope-command=${this.command}
      ></headscope-edits-panel></section>
      <headscope-page-footer .kernel=${info?.kernel ?? ""} .executed=${computation.run?.executed() ?? null} .opensOffline=${this.opensOffline}
        @headscope-command=${this.command} @headscope-page-file=${this.openFile}></headscope-page-footer>
      <headscope-keys-dialog></headscope-keys-dialog>
      ${this.place === null ? html`<headscope-drop-target @headscope-folder=${this.openFolder} @headscope-page-file=${this.openFile}></headscope-drop-target>` : nothing}
    `;
  }

  /** Whether anything is still being computed or read. */
  private get busy(): boolean {
    return this.computation.busy || this.desk.loading || this.pairs.busy;
  }

  /** What has to happen when the State changed: the engine comes first, it computes while the page is rendered. */
  private follow(now: State, before: State): void {
    if (now.model !== before.model) {
      this.use(now);
    } else if (now.text !== before.text || now.hidden !== before.hidden || now.target !== before.target || now.edits !== before.edits) {
      this.readFailure = null;
      void this.computation.compute(now);
    }
    this.requestUpdate();
  }

  private use(state: State): void {
    this.readFailure = null;
    this.hover = NO_HOVER;
    void this.computation.use(state.model, state);
  }

  private switchTo(model: ModelName): void {
    if (model !== this.store.state.model) this.store.update(switchPatch(this.store.state, model));
  }

  private readonly openFolder = ({ detail: { name, files } }: CustomEvent<PickedFolder>): void => {
    const opened = this.shelf.add(name, files);
    // Opened once more, perhaps because it was mended.
    if (opened === this.store.state.model) this.use(this.store.state);
    else this.switchTo(opened);
  };

  private readonly openFile = ({ detail }: CustomEvent<File>): void => {
    void this.exchange.openFile(detail);
  };

  private readonly patch = ({ detail: change }: CustomEvent<Partial<State>>): void => {
    const { text } = change;
    this.store.update(text === undefined ? change : { ...change, pairs: [], hidden: hiddenAfter(this.store.state, text, this.computation.model) });
  };

  private readonly command = (event: CustomEvent<Command>): void => {
    this.commands[event.detail]();
  };

  private readonly commands: Readonly<Record<Command, () => void>> = {
    undo: () => this.store.undo(),
    redo: () => this.store.redo(),
    "cancel-download": () => this.computation.cancelDownload(),
    "load-model": () => {
      this.shelf.forget(this.store.state.model);
      this.use(this.store.state);
    },
    "stop-run": () => this.computation.stop(),
    "run-again": () => {
      this.readFailure = null;
      this.computation.again();
    },
    "copy-link": () => void this.exchange.copyLink(),
    "save-page": () => this.exchange.saveFile(),
    "show-keys": () => this.keys.show(),
    "start-tour": () => void this.tour.start(),
  };

  private readonly hoverHead = (event: CustomEvent<HeadDetail | null>): void => {
    const stack = this.scene?.chosen?.stack;
    this.hover = { ...this.hover, head: event.detail && stack ? { stack, ...event.detail } : null };
  };

  private ofTokens(place: Cell | null): Cell | null {
    return this.scene?.looked && !this.pairs.shown ? cellAt(this.scene.looked, place) : place;
  }

  private hoverCell(cell: Cell | null): void {
    this.hover = { ...this.hover, cell };
  }

  private readonly touchToken = ({ detail }: CustomEvent<SideTokenDetail>): void => {
    if (!this.scene) return;
    const touch = touchOf(detail, this.store.state, this.scene, this.computation);
    if ("hover" in touch) this.hoverCell(touch.hover);
    else this.store.update(touch.patch);
  };

  private readonly toggleCell = (event: CustomEvent<Cell>): void => {
    // The head that is drawn: the one that was asked for may still be on its way.
    const looked = this.scene?.looked;
    const cells = looked && !this.pairs.shown ? cellsAt(looked, event.detail) : [event.detail];
    if (looked) this.store.update({ edits: toggleCells(this.store.state.edits, looked.figures.head, cells, this.busy ? null : looked.figures.mask) });
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const shortcut = shortcutOf(event);
    if (!shortcut) return;
    event.preventDefault();
    this.followShortcut(shortcut);
  };

  private followShortcut(shortcut: Shortcut): void {
    const info = this.computation.model?.info;
    const { chosen, shown } = this.scene ?? {};
    if (shortcut === "undo" || shortcut === "redo" || shortcut === "show-keys") {
      this.commands[shortcut]();
    } else if (shortcut === "release") {
      this.hover = NO_HOVER;
      this.blocking = false;
      this.store.update({ locked: null, picked: null });
    } else if (shortcut === "silence") {
      if (shown) this.store.update({ edits: toggleHead(this.store.state.edits, shown) });
    } else if (info && chosen) {
      // The head under a resting pointer or focus would hide the one that was asked for.
      this.hover = NO_HOVER;
      this.store.update(neighbourOf(chosen, shortcut, info));
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-explorer": HeadscopeExplorer;
  }
}
