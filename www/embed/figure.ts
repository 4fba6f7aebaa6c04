import type { ReactiveController, ReactiveElement } from "lit";
import { answerAlone } from "./answers.js";
import { Caption, CAPTION, CAPTION_HEIGHT } from "./caption.js";
import { type Filled, type Filling, type Looked, writtenIn } from "./filling.js";
import type { Looks } from "./looks.js";
import { guessTokens, HEIGHTS, isOfModels, type FigureTag } from "./heights.js";
import { whenNear } from "./nearness.js";
import { Notice } from "./notice.js";

/** The attribute of a figure with the address of its numbers. */
const SRC = "src";
/** What a figure says of its picture. */
const SAID = ["state", "computed-by"] as const;
/** What a figure sets itself, so that no change of it asks for another picture. */
const OWN = [...SAID, "data-theme"] as const;

/** Attributes that many figures have: the code that knows all is fetched for others. */
const USUAL = /^(?:caption|class|data-.*|head|id|layer|model|slot|src|stack|state|style|text)$/;

/** The source of what a figure shows: numbers of its page, or a run of its model. */
type Source = "numbers" | "model";

/** The code of each source is fetched when the first figure that needs it comes near. */
const FILLINGS: Readonly<Record<Source, (figure: Filled) => Promise<Filling>>> = {
  numbers: async (figure) => new (await import("./given/filling.js")).NumbersFilling(figure),
  model: async (figure) => new (await import("./model-filling.js")).ModelFilling(figure),
};

function sourceOf(host: Element, tag: FigureTag): Source | null {
  if (host.hasAttribute(SRC) || writtenIn(host)) return "numbers";
  return host.hasAttribute("model") && isOfModels(tag) ? "model" : null;
}

/**
 * Makes a figure work alone: while it has the attribute `src` or JSON in it, it shows these
 * numbers; while it has a `model`, what its attributes ask of it. It requests nothing before it
 * comes near the window, the newest request wins, and a failure is shown in place of the picture.
 * To its own events it answers itself, also where its page set its numbers.
 */
export class FigureController implements ReactiveController, Filled, Looked {
  readonly notice: Notice;
  readonly caption: Caption;
  private readonly changes = new MutationObserver((records) => {
    if (records.some(({ attributeName: name }) => !OWN.some((own) => own === name))) this.read();
  });
  private source: Source | null = null;
  private filling: Filling | null = null;
  private near = false;
  private looks: Promise<Looks> | null = null;
  private following = false;
  private stopWaiting: () => void = () => undefined;

  constructor(
    readonly host: ReactiveElement,
    readonly tag = host.localName as FigureTag,
  ) {
    this.notice = new Notice(host);
    this.caption = new Caption(host);
    host.addController(this);
    answerAlone(host, () => sourceOf(host, tag) !== "model");
  }

  hostConnected(): void {
    if (this.following) return;
    this.following = true;
    // A parser may add the numbers of a figure after the figure itself.
    this.changes.observe(this.host, { attributes: true, childList: true });
    this.read();
  }

  /** The template of a figure replaces all that follows its first part when it changes. */
  hostUpdated(): void {
    this.notice.keep();
    this.caption.keep();
  }

  /**
   * Ends the figure in a microtask: a figure that is only moved within its page is connected again
   * by then, and continues.
   */
  hostDisconnected(): void {
    queueMicrotask(() => {
      if (this.host.isConnected || !this.following) return;
      this.following = false;
      this.changes.disconnect();
      this.stop();
    });
  }

  readonly showWaiting = (): void => {
    const { host, tag } = this;
    const guess = {
      width: host.clientWidth,
      tokens: guessTokens(host.getAttribute("text") ?? ""),
    };
    this.notice.wait("embed.waiting", HEIGHTS[tag](guess) + this.captionHeight);
  };

  get captionHeight(): number {
    return this.host.hasAttribute(CAPTION) ? CAPTION_HEIGHT : 0;
  }

  get isGiven(): boolean {
    return this.source === null;
  }

  readonly read = (): void => {
    const { host } = this;
    const source = sourceOf(host, this.tag);
    const isOver = source === null && this.source === null;
    if (source !== this.source) this.stop();
    this.source = source;
    this.look();
    if (source === null) {
      if (!isOver) this.clear();
      return;
    }
    this.notice.attach();
    // An earlier picture stays visible.
    if (host.getAttribute("state") !== "ready") this.showWaiting();
    this.stopWaiting();
    const come = (): void => {
      this.near = true;
      void this.fill(source);
    };
    if (this.near) come();
    else this.stopWaiting = whenNear(host, come, host.getAttribute("model"));
  };

  /** Heeds the attributes that say nothing of what the figure shows. */
  private look(): void {
    if (!this.looks && this.host.getAttributeNames().every((name) => USUAL.test(name))) return;
    this.looks ??= import("./looks.js").then(({ Looks }) => new Looks(this));
    this.looks.then(
      (looks) => looks.set(),
      () => (this.looks = null),
    );
  }

  clear(): void {
    for (const name of SAID) this.host.removeAttribute(name);
    this.notice.clear();
    this.caption.show(null);
  }

  stop(): void {
    this.stopWaiting();
    this.filling?.stop();
    this.filling = null;
    this.source = null;
    this.near = false;
  }

  private async fill(source: Source): Promise<void> {
    const isWanted = (): boolean => this.source === source;
    try {
      const filling = this.filling ?? (await FILLINGS[source](this));
      if (!isWanted()) return;
      // Of two that were fetched at once, the first one fills the figure.
      this.filling ??= filling;
      this.filling.read();
    } catch {
      if (isWanted()) this.notice.unreached(() => void this.fill(source));
    }
  }
}
