/** A figure filled by a run of its model: what its attributes ask for, and its own events. */
import type { ReactiveElement } from "lit";
import type { StepCell } from "../data/index.js";
import type { HeadscopeEvents } from "../elements/index.js";
import {
  decodeAttributes,
  toggled,
  toggleHead,
  toggleSolo,
  type Decoded,
  type State,
} from "../state/index.js";
import { holding } from "../session/run/readings.js";
import { message } from "../i18n/index.js";
import { answer, refuseUnread, runOf, type Shown } from "./answer.js";
import type { Filled, Filling } from "./filling.js";
import { NOTHING, wordsFor } from "./notice.js";
import type { ModelTag } from "./heights.js";
import type { RunLease } from "./run-lease.js";

/** The change of the State of a figure that works alone, for each of its events, if any. */
const CHANGES: {
  [Name in keyof HeadscopeEvents]?: (
    detail: HeadscopeEvents[Name],
    state: State,
    figure: ModelFilling,
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

export class ModelFilling implements Filling, EventListenerObject {
  shown: Shown | null = null;
  private state: State | null = null;
  private asked: Decoded | null = null;
  private lease: RunLease | null = null;
  /** Whether the present run was read; an older request in progress only delays a newer one. */
  private answered = false;
  /** The number of requests: an answer to an older one is not shown. */
  private question = 0;
  private explained = 0;

  constructor(private readonly figure: Filled) {
    for (const name of Object.keys(CHANGES)) this.host.addEventListener(name, this);
  }

  get host(): ReactiveElement {
    return this.figure.host;
  }

  handleEvent({ type, detail }: CustomEvent): void {
    const { state } = this;
    const change = CHANGES[type as keyof typeof CHANGES] as (
      ...given: [detail: unknown, state: State, figure: ModelFilling]
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
  read(): void {
    this.asked = decodeAttributes(this.host, ["language"]);
    this.state = this.asked.state;
    void this.ask();
  }

  stop(): void {
    for (const name of Object.keys(CHANGES)) this.host.removeEventListener(name, this);
    this.question += 1;
    this.release();
    this.state = null;
  }

  private release(): void {
    this.lease?.release();
    this.lease = null;
    this.shown = null;
  }

  private async ask(again = false): Promise<void> {
    const { state, asked, host } = this;
    const { notice, caption, tag, showWaiting } = this.figure;
    if (!state || !asked) return;
    const question = ++this.question;
    const late = (): boolean => question !== this.question;
    let last: RunLease | null = null;
    try {
      refuseUnread(host, asked);
      // The previous lease is released only after the next one has loaded its model, so that what
      // both
      // need is kept.
      last = this.lease;
      const lease = runOf(state, () => void (again ? undefined : this.ask(true)));
      if (!this.answered && last) lease.model.then(last.release, last.release);
      this.lease = lease;
      this.answered = false;
      const shown = await answer(tag as ModelTag, lease, state, asked, this.shown?.view);
      if (late()) return;
      this.answered = true;
      if ("lacks" in shown) {
        this.release();
        notice.fail({ sentence: message(shown.lacks), code: NOTHING });
        return;
      }
      this.shown = shown;
      Object.assign(host, shown.properties);
      host.setAttribute("computed-by", shown.info.backend);
      caption.show(shown.about);
      notice.ready();
    } catch (thrown) {
      if (late()) return;
      this.shown = null;
      const words = await wordsFor(thrown);
      if (late()) return;
      notice.fail(words, () => {
        showWaiting();
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
    const { notice } = this.figure;
    if (!shown) return;
    const explained = ++this.explained;
    const late = (): boolean => explained !== this.explained || shown !== this.shown;
    try {
      const made = cell ? await shown.explain?.(cell) : shown.properties;
      if (late()) return;
      Object.assign(this.host, made);
      notice.clear();
    } catch (thrown) {
      const words = await wordsFor(thrown);
      if (!late()) notice.show({ ...words, again: () => void this.explain(cell) });
    }
  }
}
