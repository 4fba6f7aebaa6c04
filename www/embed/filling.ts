/** What a figure that works alone and the code that fills it know of each other. */
import type { ReactiveElement } from "lit";
import type { Caption } from "./caption.js";
import type { FigureTag } from "./heights.js";
import type { Notice } from "./notice.js";

/** What fills a figure from its source. It listens to the events of the figure until it stops. */
export interface Filling {
  /** Reads what the figure asks for, again after each change of it. */
  read(): void;
  stop(): void;
}

/** What a filling knows of its figure, and where it says what became of it. */
export interface Filled {
  readonly host: ReactiveElement;
  readonly tag: FigureTag;
  readonly notice: Notice;
  readonly caption: Caption;
  /** Says that the picture is still to come, and reserves its height. */
  showWaiting: () => void;
}

/** What is known of a figure where its page sets its looks. */
export interface Looked extends Pick<Filled, "host" | "notice"> {
  readonly captionHeight: number;
  /** Whether nothing fills the figure but the properties that its page sets. */
  readonly isGiven: boolean;
  /** Reads again what the figure shows. */
  readonly read: () => void;
  /** Ends what fills the figure. */
  stop(): void;
  /** Takes back what was said of a picture. */
  clear(): void;
}

/** The numbers that a page writes into a figure. */
export function writtenIn(host: Element): HTMLScriptElement | null {
  return host.querySelector<HTMLScriptElement>(":scope > script[type='application/json']");
}
