/**
 * An explorer without its elements: what a page, `<head-scope>` or a program sees of one. It has a
 * State, a language, an image, models and a home of its own.
 */
import { HeadscopeError } from "../headscope.js";
import {
  attributesOf,
  decodeAttributes,
  decodeState,
  encodeState,
  isBundled,
  STATE_ATTRIBUTES,
  type State,
  unreadAttribute,
} from "../state/index.js";
import type { LoadModel } from "./models/model-pool.js";
import { type ExplorerPart, Session } from "./session.js";

/**
 * Fields of a State by the names of their attributes, each written as in the attribute; null
 * stands for the default.
 */
export type StateAttributes = Readonly<Record<string, string | number | null>>;

/** A change of the State of an explorer. */
export interface StateChange {
  state: State;
  before: State;
  /** Whether it came from within: a user's action, or what follows from the model. */
  isOwn: boolean;
}

export interface ExplorerOptions {
  /** The State that it begins with: an address, or attributes; by default that of a first visit. */
  state?: string | StateAttributes;
  /** The address of the page of links and of `models/`; by default that of the page around. */
  home?: string;
  /** Loads models; by default those of the page, which all its explorers share. */
  load?: LoadModel;
}

/** An explorer as its surroundings see it. `HeadscopeExplorer` is its view. */
export class Explorer {
  /** What the panels of the view read. */
  readonly session: Session;
  /** Whether the surroundings are setting the State now. */
  private isSetting = false;

  constructor({ state = {}, ...options }: ExplorerOptions = {}) {
    this.session = new Session(options);
    if (typeof state === "string") this.open(state);
    else this.set(state, true);
  }

  /** The whole State. Setting it begins anew: nothing of what was before can be undone. */
  get state(): State {
    return this.session.state;
  }

  set state(state: State) {
    this.setting(() => this.session.store.replace(state));
  }

  /** The State as an address writes it, without `#`; null of a model that no address names. */
  get address(): string | null {
    const { model, otherModel } = this.state;
    const isWhole = isBundled(model) && (otherModel === null || isBundled(otherModel));
    return isWhole ? encodeState(this.state) : null;
  }

  /**
   * Shows the State of an address. What of it cannot be read keeps its default, and a notice names
   * it.
   */
  open(address: string): void {
    const { links } = this.session;
    this.setting(() => links.show(decodeState(address)));
  }

  /** What of the State differs from a first visit; null of a model from the user's own disk. */
  get attributes(): Record<string, string> | null {
    return attributesOf(this.state);
  }

  /**
   * Sets fields of the State. The others keep what they have; with `isWhole` they get their
   * defaults.
   *
   * @throws HeadscopeError `attribute/unreadable` for a name that no field has, or a value that a
   * field cannot have; nothing is set then.
   */
  set(attributes: StateAttributes, isWhole = false): void {
    const unknown = Object.keys(attributes).find((name) => !STATE_ATTRIBUTES.includes(name));
    if (unknown !== undefined) throw unreadable(unknown, STATE_ATTRIBUTES.join(" | "));
    const getAttribute = (name: string): string | null => {
      const value = attributes[name] ?? null;
      return value === null ? null : String(value);
    };
    const decoded = decodeAttributes({ getAttribute });
    const unread = unreadAttribute({ getAttribute }, decoded);
    if (unread) throw unreadable(unread.written, unread.form);
    const { links } = this.session;
    this.setting(() => {
      if (isWhole) links.show(decoded);
      else links.change(decoded, Object.keys(attributes));
    });
  }

  /** Calls `listener` after every change of the State, until the returned function is called. */
  onState(listener: (change: StateChange) => void): () => void {
    return this.session.store.listen((state, before) =>
      listener({ state, before, isOwn: !this.isSetting }),
    );
  }

  /** Brings a part into sight; nothing happens without a view. */
  reveal(part: ExplorerPart): void {
    this.session.page.show?.(part);
  }

  /** Loads and computes what the State asks for, until `dispose`; it may begin once more then. */
  begin(): void {
    this.session.begin();
  }

  /** Ends its runs and its use of models. */
  dispose(): void {
    this.session.end();
  }

  private setting(set: () => void): void {
    this.isSetting = true;
    try {
      set();
    } finally {
      this.isSetting = false;
    }
  }
}

function unreadable(got: string, expected: string): HeadscopeError {
  const doing = "Setting the State of an explorer";
  const message = `${doing}: expected ${expected}, found ${got}.`;
  return new HeadscopeError({ code: "attribute/unreadable", doing, expected, got, message });
}
