import type { ReactiveController, ReactiveElement } from "lit";
import type { Cell, Region, StepCell, StepPlace } from "../data/index.js";
import type {
  CellsPaintDetail,
  HeadDetail,
  HeadSoloDetail,
  TokenHoverDetail,
  TokenLockDetail,
} from "../elements/events.js";
import { message, type MessageKey } from "../i18n/index.js";
import {
  paintFor,
  STATE_ATTRIBUTES,
  toggleCells,
  toggleHead,
  toggleSolo,
  type Decoded,
  type State,
} from "../state/index.js";
import { cellAt, cellsAt } from "../views/run/looked-cells.js";
import { holding } from "../views/run/readings.js";
import type { Sitting } from "./desk.js";
import { FIGURES, guessTokens, isFigureTag, type FigureTag } from "./figures.js";
import { Memory } from "./memory.js";
import { whenNear } from "./nearness.js";
import { Notice, wordsFor } from "./notice.js";
import { NumberReader } from "./number-reader.js";
import type { Shown } from "./subject.js";
import { questionOf } from "./question.js";

/**
 * Makes a figure work alone: as long as it has a `model` attribute, it shows what its attributes ask for. It asks for
 * nothing before it comes near the window, the newest question wins, and what went wrong is said in its place.
 */
export class Feeder implements ReactiveController {
  private readonly tag: FigureTag | null;
  private readonly notice: Notice;
  private readonly numbers: NumberReader;
  private readonly attributes = new MutationObserver(() => this.read());
  private state: State | null = null;
  /** The attributes that the State was read from. */
  private asked: Decoded | null = null;
  private sitting: Sitting | null = null;
  /** Whether the sitting has answered: what is under way for an older question only holds the newer one up. */
  private answered = false;
  private shown: Shown | null = null;
  private memory = new Memory();
  private near = false;
  /** Whether it follows its figure's attributes and what a person does there. */
  private attending = false;
  private stopWaiting: () => void = () => undefined;
  /** Counts questions: an answer to an older one is not shown. */
  private turn = 0;

  constructor(private readonly host: ReactiveElement) {
    this.tag = isFigureTag(host.localName) ? host.localName : null;
    this.notice = new Notice(host);
    this.numbers = new NumberReader(host, (failure) => void this.unexplained(failure));
    host.addController(this);
  }

  hostConnected(): void {
    if (this.attending) return;
    this.attending = true;
    this.attributes.observe(this.host, { attributeFilter: [...STATE_ATTRIBUTES] });
    this.listen("addEventListener");
    this.read();
  }

  /** A figure that is only moved within its page is there again by then, and goes on with what it shows. */
  hostDisconnected(): void {
    queueMicrotask(() => {
      if (!this.host.isConnected && this.attending) this.rest();
    });
  }

  private rest(): void {
    this.attending = false;
    this.attributes.disconnect();
    this.listen("removeEventListener");
    this.stop();
  }

  /** Takes the question from the attributes. What a person changed in the figure gives way to it. */
  private read(): void {
    if (!this.host.hasAttribute("model")) {
      if (this.state) this.stop();
      for (const said of ["state", "computed-by"]) this.host.removeAttribute(said);
      this.notice.clear();
      return;
    }
    this.asked = questionOf(this.host);
    this.state = this.asked.state;
    this.notice.attach();
    this.wait();
    if (this.near) {
      void this.ask();
      return;
    }
    this.stopWaiting();
    const come = (): void => {
      this.near = true;
      void this.ask();
    };
    this.stopWaiting = whenNear(this.host, come, this.host.getAttribute("model"));
  }

  private stop(): void {
    this.turn += 1;
    this.stopWaiting();
    this.leave();
    this.state = null;
    this.near = false;
  }

  /** Holds no model and no run any longer, nor what was read of them. */
  private leave(): void {
    this.sitting?.leave();
    this.sitting = null;
    this.forget();
  }

  private async ask(again = false): Promise<void> {
    const { state, asked, tag } = this;
    if (!state || !asked || !tag) return;
    this.turn += 1;
    const { turn } = this;
    if (state.text.trim() === "") {
      this.leave();
      this.say("embed.blank", 0);
      return;
    }
    const late = (): boolean => turn !== this.turn;
    let sitting: Sitting | null = null;
    let last: Sitting | null = null;
    try {
      const { addressOf, answer, askOf, desk, refuseUnread } = await import("./answer.js");
      if (late()) return;
      refuseUnread(this.host, asked);
      // The last is left only when the next has begun, which it does with its model: what both need stays.
      last = this.sitting;
      sitting = desk.sit(
        addressOf(state.model),
        askOf(state),
        () => void (again ? undefined : this.ask(true)),
        state.backend,
      );
      if (!this.answered && last) sitting.model.then(last.leave, last.leave);
      this.sitting = sitting;
      this.answered = false;
      const shown = await answer(tag, sitting, state, this.memory, asked);
      if (late()) return;
      this.answered = true;
      if ("lacks" in shown) {
        this.leave();
        this.say(shown.lacks, 0);
        return;
      }
      this.shown = shown;
      this.numbers.forget();
      Object.assign(this.host, shown.properties);
      this.host.setAttribute("state", "ready");
      this.host.setAttribute("computed-by", shown.backend);
      this.notice.clear();
    } catch (thrown) {
      if (!late()) await this.fail(thrown, sitting, late);
    } finally {
      // By now the second run of a comparison has begun, too.
      last?.leave();
    }
  }

  /** Keeps the picture's room until it comes; a picture that is there already stays. */
  private wait(): void {
    if (this.host.getAttribute("state") !== "ready") this.say("embed.waiting", this.room);
  }

  private say(key: MessageKey, height: number): void {
    this.host.setAttribute("state", "waiting");
    this.notice.show({ sentence: message(key) }, height);
  }

  /** What was read is of no more use, or could not be read. */
  private forget(): void {
    this.shown = null;
    this.memory = new Memory();
    this.numbers.forget();
  }

  /** Says what went wrong with a question, unless meanwhile another was asked or none is any longer. */
  private async fail(thrown: unknown, sitting: Sitting | null, late: () => boolean): Promise<void> {
    this.forget();
    const words = await wordsFor(thrown, sitting);
    if (late()) return;
    this.host.setAttribute("state", "failed");
    this.notice.show({ ...words, again: () => this.retry() }, 0);
  }

  /** Says below the picture, which stays, why a number in it could not be explained. */
  private async unexplained(failure: unknown): Promise<void> {
    const { turn, sitting } = this;
    const words = failure === null ? null : await wordsFor(failure, sitting);
    if (turn !== this.turn || this.host.getAttribute("state") !== "ready") return;
    if (words) this.notice.show({ ...words, again: () => this.numbers.again() }, 0);
    else this.notice.clear();
  }

  private retry(): void {
    this.say("embed.waiting", this.room);
    void this.ask();
  }

  private get room(): number {
    if (!this.tag || !this.state) return 0;
    return FIGURES[this.tag]({
      width: this.host.clientWidth,
      tokens: guessTokens(this.state.text),
    });
  }

  private change(patch: Partial<State>): void {
    if (!this.state) return;
    this.state = { ...this.state, ...patch };
    void this.ask();
  }

  private listen(how: "addEventListener" | "removeEventListener"): void {
    for (const [name, heard] of Object.entries(this.heard))
      this.host[how](name, heard as EventListener);
  }

  /** What a person does in the figure: alone, it answers to itself. */
  private readonly heard = {
    "headscope-cell-lock": ({ detail: place }: CustomEvent<Cell | null>): void => {
      const { looked, cellOf } = this.shown ?? {};
      const cell = looked ? cellAt(looked, place) : cellOf && place ? cellOf(place) : place;
      if (cell || !place) this.change({ locked: cell });
    },
    "headscope-cell-toggle": ({ detail: place }: CustomEvent<Cell>): void => {
      const { looked, head } = this.shown ?? {};
      if (this.state && looked && head)
        this.change({
          edits: toggleCells(this.state.edits, head, cellsAt(looked, place), looked.figures.mask),
        });
    },
    "headscope-cells-paint": ({ detail: { cells, open } }: CustomEvent<CellsPaintDetail>): void => {
      const { looked, head } = this.shown ?? {};
      if (this.state && looked && head)
        this.change({
          edits: paintFor(
            this.state.edits,
            head,
            cells.flatMap((place) => cellsAt(looked, place)),
            open ? "open" : "block",
            looked.figures.mask,
          ),
        });
    },
    "headscope-mass-change": ({ detail: mass }: CustomEvent<number>): void => this.change({ mass }),
    "headscope-region-change": ({ detail: region }: CustomEvent<Region | null>): void =>
      this.change({ region }),
    "headscope-beside-toggle": ({ detail: head }: CustomEvent<number>): void => {
      const { beside = [] } = this.state ?? {};
      this.change({
        beside: beside.includes(head)
          ? beside.filter((other) => other !== head)
          : [...beside, head],
      });
    },
    "headscope-head-select": ({ detail }: CustomEvent<HeadDetail>): void => this.change(detail),
    "headscope-head-toggle": ({ detail }: CustomEvent<HeadDetail>): void => {
      if (this.state && this.shown)
        this.change({
          edits: toggleHead(this.state.edits, { ...this.shown.head, ...detail }, this.shown.sizes),
        });
    },
    "headscope-head-solo": ({ detail: { layer, head } }: CustomEvent<HeadSoloDetail>): void => {
      if (this.state && this.shown)
        this.change({
          edits: toggleSolo(
            this.state.edits,
            { ...this.shown.head, layer, head },
            this.shown.sizes,
          ),
        });
    },
    "headscope-number-hover": ({ detail: cell }: CustomEvent<StepCell | null>): void => {
      if (this.shown) this.numbers.want(this.shown, cell);
    },
    "headscope-number-go": ({ detail: to }: CustomEvent<StepPlace | null>): void =>
      this.change(holding(to)),
    "headscope-token-hover": ({ detail: { index } }: CustomEvent<TokenHoverDetail>): void => {
      if (this.state) Object.assign(this.host, { hovered: index });
    },
    "headscope-token-lock": ({ detail: { index } }: CustomEvent<TokenLockDetail>): void => {
      if (this.state) Object.assign(this.host, { locked: index === null ? [] : [index] });
    },
  };
}
