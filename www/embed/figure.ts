import type { ReactiveController, ReactiveElement } from "lit";
import type { StepCell } from "../data/index.js";
import type { HeadscopeEvents } from "../elements/index.js";
import { message, type MessageKey } from "../i18n/index.js";
import {
  decodeAttributes,
  paintFor,
  STATE_ATTRIBUTES,
  toggleCells,
  toggleHead,
  toggleSolo,
  type Decoded,
  type State,
} from "../state/index.js";
import { cellAt, cellsAt } from "../views/run/displayed.js";
import { holding } from "../views/run/readings.js";
import type { Memory, Shown } from "./answer.js";
import { whenNear } from "./nearness.js";
import { Notice, wordsFor } from "./notice.js";
import { guessTokens, isFigureTag, HEIGHTS, type FigureTag } from "./heights.js";
import type { RunLease } from "./runs.js";

/** What of the State a person changes in a figure: alone, it answers to itself. Null where nothing changes. */
const CHANGES: {
  [Name in keyof HeadscopeEvents]?: (
    detail: HeadscopeEvents[Name],
    state: State,
    shown: Shown | null,
  ) => Partial<State> | null;
} = {
  "headscope-cell-lock": (place, _, shown) => {
    const { displayed, cellOf } = shown ?? {};
    const cell = displayed ? cellAt(displayed, place) : cellOf && place ? cellOf(place) : place;
    return cell || !place ? { locked: cell } : null;
  },
  "headscope-cell-toggle": (place, { edits }, shown) => {
    const { displayed, head } = shown ?? {};
    return displayed && head
      ? { edits: toggleCells(edits, head, cellsAt(displayed, place), displayed.figures.mask) }
      : null;
  },
  "headscope-cells-paint": ({ cells, open }, { edits }, shown) => {
    const { displayed, head } = shown ?? {};
    if (!displayed || !head) return null;
    const painted = cells.flatMap((place) => cellsAt(displayed, place));
    const how = open ? "open" : "block";
    return { edits: paintFor(edits, head, painted, how, displayed.figures.mask) };
  },
  "headscope-mass-change": (mass) => ({ mass }),
  "headscope-region-change": (region) => ({ region }),
  "headscope-beside-toggle": (head, { beside }) => ({
    beside: beside.includes(head) ? beside.filter((other) => other !== head) : [...beside, head],
  }),
  "headscope-head-select": (head) => head,
  "headscope-head-toggle": (head, { edits }, shown) =>
    shown && { edits: toggleHead(edits, { ...shown.head, ...head }, shown.sizes) },
  "headscope-head-solo": ({ layer, head }, { edits }, shown) =>
    shown && { edits: toggleSolo(edits, { ...shown.head, layer, head }, shown.sizes) },
  "headscope-number-go": (to) => holding(to),
};

/**
 * Makes a figure work alone: as long as it has a `model` attribute, it shows what its attributes ask for. It asks for
 * nothing before it comes near the window, the newest question wins, and a failure is shown in its place.
 */
export class FigureController implements ReactiveController {
  private readonly tag: FigureTag | null;
  private readonly notice: Notice;
  private readonly attributes = new MutationObserver(() => this.read());
  private state: State | null = null;
  /** The attributes that the State was read from. */
  private asked: Decoded | null = null;
  private lease: RunLease | null = null;
  /** Whether the run was read: what is under way for an older question only holds the newer one up. */
  private answered = false;
  private shown: Shown | null = null;
  private memory: Memory = new Map();
  private near = false;
  /** Whether it follows its figure's attributes and what a person does there. */
  private attending = false;
  private stopWaiting: () => void = () => undefined;
  /** Counts questions: an answer to an older one is not shown. */
  private turn = 0;
  /** Counts the numbers that were to be explained. */
  private explained = 0;

  constructor(private readonly host: ReactiveElement) {
    this.tag = isFigureTag(host.localName) ? host.localName : null;
    this.notice = new Notice(host);
    host.addController(this);
  }

  hostConnected(): void {
    if (this.attending) return;
    this.attending = true;
    this.attributes.observe(this.host, { attributeFilter: [...STATE_ATTRIBUTES] });
    for (const [name, listener] of this.listeners) this.host.addEventListener(name, listener);
    this.read();
  }

  /** A figure that is only moved within its page is there again by then, and goes on with what it shows. */
  hostDisconnected(): void {
    queueMicrotask(() => {
      if (this.host.isConnected || !this.attending) return;
      this.attending = false;
      this.attributes.disconnect();
      for (const [name, listener] of this.listeners) this.host.removeEventListener(name, listener);
      this.stop();
    });
  }

  /** Takes the question from the attributes; the language is the document's. What a person changed in the figure gives way to it. */
  private read(): void {
    const model = this.host.getAttribute("model");
    if (model === null) {
      if (this.state) this.stop();
      for (const name of ["state", "computed-by"]) this.host.removeAttribute(name);
      this.notice.clear();
      return;
    }
    this.asked = decodeAttributes(this.host, ["language"]);
    this.state = this.asked.state;
    this.notice.attach();
    // An earlier picture stays.
    if (this.host.getAttribute("state") !== "ready") this.sayWaiting();
    this.stopWaiting();
    const come = (): void => {
      this.near = true;
      void this.ask();
    };
    if (this.near) come();
    else this.stopWaiting = whenNear(this.host, come, model);
  }

  private stop(): void {
    this.turn += 1;
    this.stopWaiting();
    this.release();
    this.state = null;
    this.near = false;
  }

  /** Holds no model and no run any longer, nor what was read of them. */
  private release(): void {
    this.lease?.release();
    this.lease = null;
    this.forget();
  }

  private async ask(again = false): Promise<void> {
    const { state, asked, tag } = this;
    if (!state || !asked || !tag) return;
    this.turn += 1;
    const { turn } = this;
    if (state.text.trim() === "") {
      this.release();
      this.say("embed.blank");
      return;
    }
    const late = (): boolean => turn !== this.turn;
    let lease: RunLease | null = null;
    let last: RunLease | null = null;
    try {
      const { answer, refuseUnread, runOf } = await import("./answer.js");
      if (late()) return;
      refuseUnread(this.host, asked);
      // The last is released only when the next has begun, which it does with its model: what both need stays.
      last = this.lease;
      lease = runOf(state, () => void (again ? undefined : this.ask(true)));
      if (!this.answered && last) lease.model.then(last.release, last.release);
      this.lease = lease;
      this.answered = false;
      const shown = await answer(tag, lease, state, this.memory, asked);
      if (late()) return;
      this.answered = true;
      if ("lacks" in shown) {
        this.release();
        this.say(shown.lacks);
        return;
      }
      this.shown = shown;
      Object.assign(this.host, shown.properties);
      this.host.setAttribute("state", "ready");
      this.host.setAttribute("computed-by", shown.backend);
      this.notice.clear();
    } catch (thrown) {
      if (late()) return;
      // What was read is of no more use, or could not be read.
      this.forget();
      const words = await wordsFor(thrown, lease);
      if (late()) return;
      this.host.setAttribute("state", "failed");
      const retry = (): void => {
        this.sayWaiting();
        void this.ask();
      };
      this.notice.show({ ...words, again: retry }, 0);
    } finally {
      // By now the second run of a comparison has begun, too.
      last?.release();
    }
  }

  private forget(): void {
    this.shown = null;
    this.memory = new Map();
  }

  /** Explains a number of a block's steps, or the held one again; says below the picture, which stays, why one could not be explained. Of the numbers that the pointer passes over only the newest is shown. */
  private async explain(cell: StepCell | null): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    this.explained += 1;
    const { explained } = this;
    // Another picture may have come on the screen.
    const late = (): boolean => explained !== this.explained || shown !== this.shown;
    try {
      const { explained: explain } = await import("./answer.js");
      const made = cell ? await explain(shown.run, shown.head, cell) : shown.properties;
      if (late()) return;
      Object.assign(this.host, made);
      this.notice.clear();
    } catch (thrown) {
      const words = await wordsFor(thrown, this.lease);
      if (!late()) this.notice.show({ ...words, again: () => void this.explain(cell) }, 0);
    }
  }

  private say(key: MessageKey, height = 0): void {
    this.host.setAttribute("state", "waiting");
    this.notice.show({ sentence: message(key) }, height);
  }

  /** Reserves about the height that the picture will have. */
  private sayWaiting(): void {
    const { tag, state, host } = this;
    const guess = state && { width: host.clientWidth, tokens: guessTokens(state.text) };
    this.say("embed.waiting", tag && guess ? HEIGHTS[tag](guess) : 0);
  }

  private readonly listeners: readonly [name: string, listener: (event: Event) => void][] = [
    ...Object.entries(CHANGES).map(([name, change]): [string, (event: Event) => void] => [
      name,
      (event) => {
        const made = change as (detail: unknown, ...on: [State, Shown | null]) => Partial<State>;
        const patch = this.state && made((event as CustomEvent).detail, this.state, this.shown);
        if (!this.state || !patch) return;
        this.state = { ...this.state, ...patch };
        void this.ask();
      },
    ]),
    on("headscope-number-hover", (cell) => void this.explain(cell)),
    on("headscope-token-hover", ({ index }) => {
      if (this.state) Object.assign(this.host, { hovered: index });
    }),
    on("headscope-token-lock", ({ index }) => {
      if (this.state) Object.assign(this.host, { locked: index === null ? [] : [index] });
    }),
  ];
}

function on<Name extends keyof HeadscopeEvents>(
  name: Name,
  listener: (detail: HeadscopeEvents[Name]) => void,
): [name: string, listener: (event: Event) => void] {
  return [name, (event) => listener((event as CustomEvent<HeadscopeEvents[Name]>).detail)];
}
