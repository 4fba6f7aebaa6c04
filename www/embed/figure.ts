import type { ReactiveController, ReactiveElement } from "lit";
import type { StepCell } from "../data/index.js";
import type { HeadscopeEvents } from "../elements/index.js";
import {
  decodeAttributes,
  STATE_ATTRIBUTES,
  toggled,
  toggleHead,
  toggleSolo,
  type Decoded,
  type State,
} from "../state/index.js";
import { holding } from "../session/run/readings.js";
import type { Shown } from "./answer.js";
import { Caption, CAPTION, CAPTION_HEIGHT } from "./caption.js";
import { guessTokens, HEIGHTS, type FigureTag } from "./heights.js";
import { whenNear } from "./nearness.js";
import { Notice, wordsFor } from "./notice.js";
import type { RunLease } from "./run-lease.js";

/** The change of the State of a figure that works alone, for each of its events, if any. */
const CHANGES: {
  [Name in keyof HeadscopeEvents]?: (
    detail: HeadscopeEvents[Name],
    state: State,
    figure: FigureController,
  ) => Partial<State> | null;
} = {
  "headscope-cell-lock": (place, _, { shown }) => {
    const cell = shown?.cellAt?.(place) ?? null;
    return cell || !place ? { locked: cell } : null;
  },
  "headscope-cell-toggle": (place, state, { shown }) =>
    shown?.paint?.(state, [place], "toggle") ?? null,
  "headscope-cells-paint": ({ cells, open }, state, { shown }) =>
    shown?.paint?.(state, cells, open ? "open" : "block") ?? null,
  "headscope-mass-change": (mass) => ({ mass }),
  "headscope-region-change": (region) => ({ region }),
  "headscope-beside-toggle": (head, { beside }) => ({ beside: toggled(beside, head) }),
  "headscope-head-select": (head) => head,
  "headscope-head-toggle": (head, { edits }, { shown }) =>
    shown && { edits: toggleHead(edits, { ...shown.head, ...head }, shown.info.stacks) },
  "headscope-head-solo": ({ layer, head }, { edits }, { shown }) =>
    shown && { edits: toggleSolo(edits, { ...shown.head, layer, head }, shown.info.stacks) },
  "headscope-depth-choose": (depth) => ({ depth }),
  "headscope-number-go": (to) => holding(to),
  "headscope-number-hover": (cell, _, figure) => {
    void figure.explain(cell);
    return null;
  },
  "headscope-token-hover": ({ index }, _, { host }) => {
    Object.assign(host, { hovered: index });
    return null;
  },
  "headscope-token-lock": ({ index }, _, { host }) => {
    Object.assign(host, { locked: index === null ? [] : [index] });
    return null;
  },
};

/**
 * Makes a figure work alone: while it has a `model` attribute, it shows what its attributes ask
 * for. It requests nothing before it comes near the window, the newest request wins, and a failure
 * is shown in place of the picture.
 */
export class FigureController implements ReactiveController, EventListenerObject {
  shown: Shown | null = null;
  private readonly notice: Notice;
  private readonly caption: Caption;
  private readonly attributes = new MutationObserver(() => this.read());
  private state: State | null = null;
  private asked: Decoded | null = null;
  private lease: RunLease | null = null;
  /** Whether the present run was read; an older request in progress only delays a newer one. */
  private answered = false;
  private near = false;
  private following = false;
  private stopWaiting: () => void = () => undefined;
  /** The number of requests: an answer to an older one is not shown. */
  private question = 0;
  private explained = 0;

  constructor(
    readonly host: ReactiveElement,
    private readonly tag = host.localName as FigureTag,
  ) {
    this.notice = new Notice(host);
    this.caption = new Caption(host);
    host.addController(this);
  }

  hostConnected(): void {
    if (this.following) return;
    this.following = true;
    this.attributes.observe(this.host, { attributeFilter: [...STATE_ATTRIBUTES, CAPTION] });
    for (const name of Object.keys(CHANGES)) this.host.addEventListener(name, this);
    this.read();
  }

  /**
   * Ends the figure in a microtask: a figure that is only moved within its page is connected again
   * by then, and continues.
   */
  hostDisconnected(): void {
    queueMicrotask(() => {
      if (this.host.isConnected || !this.following) return;
      this.following = false;
      this.attributes.disconnect();
      for (const name of Object.keys(CHANGES)) this.host.removeEventListener(name, this);
      this.stop();
    });
  }

  handleEvent({ type, detail }: CustomEvent): void {
    const { state } = this;
    const change = CHANGES[type as keyof typeof CHANGES] as (
      ...given: [detail: unknown, state: State, figure: FigureController]
    ) => Partial<State> | null;
    const patch = state && change(detail, state, this);
    if (!patch) return;
    this.state = { ...state, ...patch };
    void this.ask();
  }

  /**
   * Reads the request from the attributes; the language is the document's. It replaces changes by
   * events.
   */
  private read(): void {
    const { host } = this;
    const model = host.getAttribute("model");
    if (model === null) {
      if (this.state) this.stop();
      for (const name of ["state", "computed-by"]) host.removeAttribute(name);
      this.notice.clear();
      this.caption.show(null);
      return;
    }
    this.asked = decodeAttributes(host, ["language"]);
    this.state = this.asked.state;
    this.notice.attach();
    // An earlier picture stays visible.
    if (host.getAttribute("state") !== "ready") this.showWaiting();
    this.stopWaiting();
    const come = (): void => {
      this.near = true;
      void this.ask();
    };
    if (this.near) come();
    else this.stopWaiting = whenNear(host, come, model);
  }

  private stop(): void {
    this.question += 1;
    this.stopWaiting();
    this.release();
    this.state = null;
    this.near = false;
  }

  private release(): void {
    this.lease?.release();
    this.lease = null;
    this.shown = null;
  }

  private async ask(again = false): Promise<void> {
    const { state, asked, host } = this;
    if (!state || !asked) return;
    const question = ++this.question;
    const late = (): boolean => question !== this.question;
    let last: RunLease | null = null;
    try {
      const { answer, refuseUnread, runOf } = await import("./answer.js");
      if (late()) return;
      refuseUnread(host, asked);
      // The previous lease is released only after the next one has loaded its model, so that what
      // both
      // need is kept.
      last = this.lease;
      const lease = runOf(state, () => void (again ? undefined : this.ask(true)));
      if (!this.answered && last) lease.model.then(last.release, last.release);
      this.lease = lease;
      this.answered = false;
      const shown = await answer(this.tag, lease, state, asked, this.shown?.view);
      if (late()) return;
      this.answered = true;
      if ("lacks" in shown) {
        this.release();
        this.notice.wait(shown.lacks);
        return;
      }
      this.shown = shown;
      Object.assign(host, shown.properties);
      host.setAttribute("computed-by", shown.info.backend);
      this.caption.show(shown.about);
      this.notice.ready();
    } catch (thrown) {
      if (late()) return;
      this.shown = null;
      const words = await wordsFor(thrown);
      if (late()) return;
      this.notice.fail(words, () => {
        this.showWaiting();
        void this.ask();
      });
    } finally {
      // By now the second run of a comparison has also begun.
      last?.release();
    }
  }

  /**
   * Explains a number of a block's steps, or the locked one again; a failure is reported below the
   * picture. Of the numbers that the pointer passes over only the newest is shown.
   */
  async explain(cell: StepCell | null): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const explained = ++this.explained;
    const late = (): boolean => explained !== this.explained || shown !== this.shown;
    try {
      const made = cell ? await shown.explain?.(cell) : shown.properties;
      if (late()) return;
      Object.assign(this.host, made);
      this.notice.clear();
    } catch (thrown) {
      const words = await wordsFor(thrown);
      if (!late()) this.notice.show({ ...words, again: () => void this.explain(cell) });
    }
  }

  private showWaiting(): void {
    const { host, state, tag } = this;
    const guess = { width: host.clientWidth, tokens: guessTokens(state?.text ?? "") };
    const caption = host.hasAttribute(CAPTION) ? CAPTION_HEIGHT : 0;
    this.notice.wait("embed.waiting", HEIGHTS[tag](guess) + caption);
  }
}
