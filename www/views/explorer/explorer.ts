import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { loadSentences, message, type MessageKey } from "../../i18n/index.js";
import { Memo } from "../../elements/shared/controllers.js";
import { isOpened, Store, type ModelName, type State } from "../../state/index.js";
import "../parts/notices.js";
import "../parts/page-frame.js";
import type { Command } from "../parts/events.js";
import type { HeadscopeKeysDialog } from "../parts/keys-dialog.js";
import type { HeadscopePicturePanel } from "../parts/picture-panel.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import "../parts/top-bar.js";
import { isAnyComing, Later } from "../../ui/lazy.js";
import { LaterPlaces } from "../../ui/lazy.js";
import { subjectOf } from "../export/subject.js";
import type { HeadscopePairsPanel } from "../pairs/pairs-panel.js";
import { PairPlace } from "../pairs/place.js";
import { FirstSight } from "../first/sight.js";
import { Computation } from "../run/computation.js";
import { FigureDesk, type HeadFigures } from "../run/figures.js";
import type { PickedFolder } from "../run/picked-folder.js";
import { addressOf, keptOffline, models, Shelf } from "../run/model-pool.js";
import { ProcessorDesk, WAYS_TO_LEAVE } from "../run/processor.js";
import { TourGuide } from "../tour/guide.js";
import { BenchWatch, Stay } from "./place.js";
import { editsOf } from "./edits-view.js";
import { Exchange, NoticeBoard } from "./links.js";
import { failureWords } from "./failure-words.js";
import { headsPanelOf, inspectorOf, picturePanelOf, sentenceBarOf } from "./panels.js";
import { backPatch, hiddenAfter, isOnlyWritten, switchPatch } from "./text-change.js";
import { NextFrame, Turns } from "./scheduling.js";
import { Pointing, type Shortcut, shortcutOf } from "./pointing.js";
import { type Scene, sceneOf } from "./scene.js";
import { explorerStyles, phoneStyles } from "./styles.js";
import { PhoneTabs } from "./phone-tabs.js";

/** The list of keys, which hardly anybody opens on a first visit. */
const KEYS = new Later(() =>
  Promise.all([import("../parts/keys-dialog.js"), loadSentences("keys")]),
);

/** The switch to the GPU, offered where there is one. */
const GPU = new Later(() => Promise.all([import("../parts/gpu-switch.js"), loadSentences("gpu")]));

/** Between two states of a text that the model writes: its first word is there at once, and the eye follows no faster. */
const GROWTH_MILLIS = 50;

/**
 * The whole explorer: a sentence, every head that reads it, and what the model makes of it. It holds the State,
 * hands each part what it shows, and takes back what a person asks for.
 */
@customElement("headscope-explorer")
export class HeadscopeExplorer extends PagePart {
  static override styles = [partStyles, explorerStyles, phoneStyles];

  /** The element of somebody's page that it fills. Without one it is a page of its own, which keeps the address and the theme of the document and has all keys. */
  @property({ attribute: false }) place: HTMLElement | null = null;

  @state() private opensOffline = false;
  @query("headscope-keys-dialog") private readonly keys!: HeadscopeKeysDialog;
  @query("headscope-picture-panel, headscope-pairs-panel") private readonly picture!:
    | HeadscopePicturePanel
    | HeadscopePairsPanel;

  private readonly store = new Store();
  private readonly notices = new NoticeBoard(() => this.requestUpdate());
  private readonly opened = new Memo<readonly ModelName[]>();
  private readonly ready = new Memo<readonly ModelName[]>();
  private readonly exchange = new Exchange(
    this.store,
    this.notices,
    () => this.requestUpdate(),
    () => this.tabs.reveal("headscope-edits-panel"),
  );
  private readonly processor = new ProcessorDesk({
    changed: () => this.requestUpdate(),
    left: (left) => {
      this.store.update({ backend: "cpu" });
      // Whatever else is on that GPU would find it gone, each by itself.
      if (this.shelf.leaveGpu().includes(this.store.state.model)) this.use(this.store.state);
      this.forgetLeft();
      this.notices.post(`notice.${left}`, {}, { code: left });
    },
    taken: () => this.forgetLeft(),
  });
  private readonly shelf = new Shelf(
    this.processor.on(keptOffline(models.load, () => (this.opensOffline = true))),
    addressOf,
  );
  private readonly nextFrame = new NextFrame(() => this.requestUpdate());
  private readonly growth = new NextFrame(() => this.requestUpdate(), GROWTH_MILLIS);
  private readonly computation = new Computation(this.shelf, {
    changed: () => this.takeRun(),
    // What the next turn shows in any case must not be asked for in between.
    grown: () => this.turns.isBefore(1) || this.growth.ask(),
    restarted: ({ code }) => {
      if (code === "engine/crashed") this.notices.post("notice.restarted", {}, { code });
    },
    foreseen: () => this.desk.foreseen,
  });
  private readonly desk = new FigureDesk(
    () => this.requestUpdate(),
    () => this.turns.pending || this.nextFrame.ask(),
  );
  /** After a new picture come the texts, which is where the eye is, and then all the rest. */
  private readonly turns = new Turns(2, () => this.requestUpdate());
  /** The picture that was shown last. */
  private pictured: HeadFigures | null = null;
  /** Whether what is rendered next is what somebody did, beyond writing: all of that is shown at once. */
  private acted = false;
  private readonly places = new LaterPlaces(this);
  private readonly pairs = new PairPlace(this.store, this.shelf, this.computation, {
    places: this.places,
    changed: () => this.requestUpdate(),
    touch: (detail) => this.pointing.touchToken(detail),
  });
  private readonly pointing = new Pointing(this.store, this.computation, {
    scene: () => this.scene,
    ofTokens: () => this.pairs.shown !== null,
    changed: () => this.requestUpdate(),
  });
  private readonly first = new FirstSight(() => this.requestUpdate());
  private readonly tabs = new PhoneTabs(this);
  private readonly tour = new TourGuide(
    this,
    this.store,
    this.places,
    () => this.computation.run !== null && !this.busy,
    (place) => this.tabs.reveal(place),
  );
  private scene: Scene | undefined;
  /** What was shown when the last model that worked was left. */
  private left: State | null = null;

  constructor() {
    super();
    new BenchWatch(
      this,
      () => this.store.state.bench,
      () => ({
        picture: this.picture,
        drawer: this.renderRoot.querySelector(".edits"),
        settled: this.computation.run !== null && !this.busy,
        // Neither somebody's page nor the tour's card is scrolled away on arrival.
        untouched:
          this.place === null &&
          this.store.state.tour === null &&
          window.scrollY === 0 &&
          this.shadowRoot?.activeElement === null,
      }),
    );
    this.addEventListener("headscope-patch", this.patch);
    this.addEventListener("headscope-step", this.step);
    this.addEventListener("headscope-set", ({ detail: { labs, goesOn } }) =>
      this.store.set(labs, goesOn),
    );
    this.addEventListener("headscope-command", this.command);
    this.addEventListener("headscope-subject", ({ detail }) => {
      if (this.scene) detail.subject = subjectOf(this.store.state, this.scene, this.computation);
    });
    this.addEventListener("headscope-state", ({ detail }) => {
      detail.state = this.store.state;
      detail.listen = (listener) => this.store.listen(listener);
    });
    this.addEventListener("headscope-unread", ({ detail }) => this.notices.reportMore([detail]));
    // From the picture and from the bench below it.
    this.addEventListener("headscope-blocking", this.pointing.block);
    this.addEventListener("headscope-paint-reach", this.pointing.reachFor);
    this.addEventListener("headscope-side-token", ({ detail }) => this.pointing.touchToken(detail));
    new Stay(this, this.store, this.exchange, {
      begin: () => {
        this.processor.follow(this.store.state.backend);
        this.use(this.store.state);
      },
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
    this.scene = sceneOf(
      store.state,
      computation,
      desk.head.value,
      this.pointing.hover,
      this.scene,
    );
    this.pairs.update(this.scene);
    // Whatever it was asked for, this is it; and what comes in the next turn would not be in this frame.
    this.nextFrame.settle();
    if (desk.head.value !== this.pictured && this.hasUpdated && desk.head.value && !this.acted)
      this.turns.begin();
    this.acted = false;
    this.pictured = desk.head.value;
    this.wantHead(this.scene);
    // It can be turned off again also where there is nothing to compute.
    if (store.state.backend === "webgpu") this.processor.look();
    const { run, revision, sourceRevision } = computation;
    const { chosen, looked, source, result } = this.scene;
    const settled = looked?.figures.run === run && !this.busy;
    this.exchange.arrival.follow(store.state, {
      chosen,
      looked: settled ? looked : null,
      sourceTokens: source.tokens.length,
      targetTokens: result.tokens.length,
    });
    // A new picture comes first: until its frame is made, nobody's work holds it up.
    if (!run || !this.scene.shown || this.turns.isBefore(1)) return;
    // The first picture comes before the question what else could have computed it.
    if (!this.busy) this.processor.look();
    const moment = { run, revision, sourceRevision };
    desk.wantAround(moment, this.scene.shown, store.state.picture);
    desk.wantExpectation(moment, this.scene.place);
    if (this.scene.chosen) desk.wantLikeness(moment, this.scene.chosen);
  }

  /** A new run is asked for its picture before anything is rendered: what was foreseen is here at once, and both are shown together. */
  private takeRun(): void {
    if (
      this.scene?.looked &&
      this.computation.run !== null &&
      this.computation.run !== this.scene.looked.figures.run
    )
      this.wantHead(this.scene);
    if (this.desk.head.loading) this.nextFrame.ask();
    else this.requestUpdate();
  }

  private wantHead({ shown, beside }: Scene): void {
    const { run, revision, sourceRevision } = this.computation;
    const { picture, edits } = this.store.state;
    if (!run || !shown) return;
    const drops = edits.attention.some(({ dropout }) => dropout);
    this.desk.wantHead({ run, revision, sourceRevision }, shown, picture, beside, drops);
  }

  protected override render(): TemplateResult {
    const { scene, computation, store, pointing, turns } = this;
    if (!scene) return html``;
    const { state } = store;
    const { info = null } = computation.model ?? {};
    const inspected = state.picture !== "positions" && !this.pairs.shown;
    const first = this.first.of(state, computation, scene.looked !== null && !this.coming);
    const subject = this.pairs.exported(subjectOf(state, scene, computation));
    const { linkCopied } = this.exchange;
    const { opened, ready } = this.shelf;
    return html`
      <button class="skip" @click=${this.tabs.skip}>${message("page.skip")}</button>
      <headscope-top-bar
        part="top-bar"
        .info=${info}
        .model=${state.model}
        .opened=${this.opened.get([opened.length, ...opened], () => opened)}
        .ready=${this.ready.get([ready.length, ...ready], () => ready)}
        .theme=${state.theme}
        .linkCopied=${linkCopied}
        .exports=${subject !== null}
        @headscope-export=${(event: CustomEvent<Element>) => this.picture.openExport(event.detail)}
        @headscope-model=${(event: CustomEvent<ModelName>) => this.switchTo(event.detail)}
        @headscope-folder=${this.openFolder}
      ></headscope-top-bar>
      ${this.tour.render()}
      ${turns.at(1, () => sentenceBarOf(scene, state, computation, this.desk, first))}
      ${turns.at(1, () => this.pairs.renderBar())}
      <headscope-notices
        .progress=${computation.slow ? computation.progress : null}
        .stacks=${info?.stacks ?? {}}
        .stopped=${computation.stopped}
        .failure=${failureWords(this.computation, this.desk.failure ?? this.pairs.unread, isOpened(state.model))}
        .back=${this.left?.model === state.model ? null : (this.left?.model ?? null)}
        .notices=${this.notices.list}
        @headscope-model=${this.goBack}
        @headscope-notice-dismiss=${(event: CustomEvent<MessageKey>) => this.notices.take(event.detail)}
      ></headscope-notices>
      ${this.tabs.render(scene, inspected)}
      <div
        role=${this.place ? "group" : "main"}
        aria-busy=${this.busy || first !== null}
        class=${classMap({ parts: true, stale: computation.stale })}
        @headscope-cell-hover=${pointing.hoverCell}
        @headscope-cell-lock=${pointing.lockCell}
        @headscope-cell-toggle=${pointing.toggleCell}
        @headscope-cells-paint=${pointing.paintCells}
        @headscope-head-hover=${pointing.hoverHead}
      >
        ${turns.at(2, () => headsPanelOf(scene, state, computation, this.desk, { folded: this.tabs.open !== null, linkCopied, first }))}
        ${this.pairs.shown?.renderPanel(subject, linkCopied) ?? picturePanelOf(scene, state, computation, this.desk, { blocking: pointing.blocking, subject, linkCopied, first })}
        ${inspected ? turns.at(2, () => inspectorOf(scene, this.desk, { pointed: pointing.hover.cell !== null, info, changes: this.pairs.changes, state, linkCopied })) : nothing}
      </div>
      ${turns.at(2, () => editsOf(scene, state, computation, store, pointing))}
      <headscope-page-footer part="page-footer" .kernel=${info?.kernel ?? ""} .executed=${computation.run?.executed() ?? null} .opensOffline=${this.opensOffline} @headscope-page-file=${this.openFile}>${this.renderGpu(state)}</headscope-page-footer>
      <headscope-keys-dialog></headscope-keys-dialog>
      ${this.place === null ? html`<headscope-drop-target @headscope-folder=${this.openFolder} @headscope-page-file=${this.openFile}></headscope-drop-target>` : nothing}
    `;
  }

  /** That the GPU was left is no news once it is used again, or left again. */
  private forgetLeft(): void {
    for (const way of WAYS_TO_LEAVE) this.notices.take(`notice.${way}`);
  }

  private renderGpu({ backend }: State): TemplateResult | typeof nothing {
    const { adapter } = this.processor;
    if (!adapter) return nothing;
    return this.places.show(
      GPU,
      () =>
        html`<headscope-gpu-switch .adapter=${adapter} .on=${backend === "webgpu"} .onCpu=${this.computation.run?.onCpu()}></headscope-gpu-switch>`,
    );
  }

  /** Whether anything is still being computed, read or fetched. */
  private get coming(): boolean {
    return this.computation.busy || this.desk.loading || this.pairs.busy || isAnyComing();
  }

  /** Whether that is so, or some of the page does not yet show what is there. */
  private get busy(): boolean {
    return this.coming || this.turns.pending;
  }

  /** What has to happen when the State changed: the engine comes first, it computes while the page is rendered. */
  private follow(now: State, before: State): void {
    if (!isOnlyWritten(now, before)) {
      this.acted = true;
      this.turns.end();
    }
    if (this.processor.follow(now.backend)) {
      this.shelf.dispose();
      this.use(now);
    } else if (now.model !== before.model) {
      if (this.computation.model) this.left = before;
      this.use(now);
    } else if (
      now.text !== before.text ||
      now.hidden !== before.hidden ||
      now.target !== before.target ||
      now.edits !== before.edits
    ) {
      this.forgive();
      void this.computation.compute(now);
    }
    this.requestUpdate();
  }

  private use(state: State): void {
    this.forgive();
    this.pointing.clear();
    void this.computation.use(state.model, state);
  }

  /** What could not be read of this run is no matter any more: another is coming. */
  private forgive(): void {
    this.desk.forgive();
    this.pairs.forgive();
  }

  private switchTo(model: ModelName): void {
    if (model !== this.store.state.model) this.store.update(switchPatch(this.store.state, model));
  }

  /** From a model that cannot be loaded to the last one that could. */
  private readonly goBack = (): void => {
    if (this.left) this.store.update(backPatch(this.left, this.store.state));
  };

  private readonly openFolder = ({ detail: { name, files } }: CustomEvent<PickedFolder>): void => {
    const opened = this.shelf.add(name, files);
    // Opened once more, perhaps because it was mended.
    if (opened === this.store.state.model) this.use(this.store.state);
    else this.switchTo(opened);
  };

  private readonly openFile = ({ detail }: CustomEvent<File>): void => {
    void this.exchange.openFile(detail);
  };

  private async showKeys(): Promise<void> {
    await KEYS.come();
    if (KEYS.failure) this.notices.post("embed.unreached");
    else await this.keys.show();
  }

  private readonly patch = ({ detail: change }: CustomEvent<Partial<State>>): void => {
    const { text } = change;
    this.store.update(
      text === undefined
        ? change
        : {
            ...change,
            pairs: [],
            hidden: hiddenAfter(this.store.state, text, this.computation.model),
          },
    );
  };

  private readonly step = ({ detail: change }: CustomEvent<Partial<State>>): void => {
    this.store.step(change);
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
      this.forgive();
      this.computation.again();
    },
    "copy-link": () => void this.exchange.copyLink(),
    "save-page": () => this.exchange.saveFile(),
    "show-keys": () => void this.showKeys(),
    "start-tour": () => void this.tour.start(),
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const shortcut = shortcutOf(event);
    if (!shortcut) return;
    event.preventDefault();
    this.followShortcut(shortcut);
  };

  private followShortcut(shortcut: Shortcut): void {
    if (shortcut === "undo" || shortcut === "redo" || shortcut === "show-keys")
      this.commands[shortcut]();
    else if (shortcut === "release") this.pointing.release();
    else this.pointing.follow(shortcut);
  }
}
