/**
 * An explorer without its elements: the object that a page, `<head-scope>` or a program uses. It
 * has a State, a language, an image, models and a home address of its own.
 */
import { HeadscopeError } from "../headscope.js";
import {
  attributesOf,
  decodeAttributes,
  decodeState,
  encodeState,
  isAddressed,
  STATE_ATTRIBUTES,
  type State,
  unreadAttribute,
} from "../state/index.js";
import { isLinkedFrom } from "./models/addresses.js";
import type { LoadModel } from "./models/model-pool.js";
import type { PickedFolder } from "./models/picked-folder.js";
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
  /**
   * Whether the change comes from the explorer itself: a user's action, or a consequence of the
   * model.
   */
  isOwn: boolean;
}

export interface ExplorerOptions {
  /** The first State: an address, or attributes; by default the State of a first visit. */
  state?: string | StateAttributes;
  /**
   * The address of the page of links and of `models/`; by default the address of the page around.
   */
  home?: string;
  /** The function that loads models; by default that of the page, which all its explorers share. */
  load?: LoadModel;
}

/** An explorer as its surroundings use it. `HeadscopeExplorer` is its view. */
export class Explorer {
  /** The session, which the panels of the view read. */
  readonly session: Session;
  /** Whether the surroundings are setting the State now. */
  private isSetting = false;

  constructor({ state = {}, ...options }: ExplorerOptions = {}) {
    this.session = new Session(options);
    if (typeof state === "string") this.open(state);
    else this.set(state, true);
  }

  /** The whole State. Setting it starts a new history of undo. */
  get state(): State {
    return this.session.store.state;
  }

  set state(state: State) {
    this.setting(() => this.session.store.replace(state));
  }

  /** The State as an address, without `#`; null if no address can name the model. */
  get address(): string | null {
    const { model, otherModel } = this.state;
    const { home } = this.session;
    const isWhole = [model, otherModel].every((one) => one === null || isLinkedFrom(one, home));
    return isWhole ? encodeState(this.state) : null;
  }

  /**
   * Shows the State of an address. Fields that cannot be read keep their defaults, and a notice
   * names them.
   */
  open(address: string): void {
    const { links } = this.session;
    this.setting(() => links.show(decodeState(address)));
  }

  /**
   * The fields of the State that differ from a first visit; null for a model from the user's disk.
   */
  get attributes(): Record<string, string> | null {
    return attributesOf(this.state);
  }

  /**
   * Takes the files of a model that the page carries: it is the model of the first State, and of
   * every address that names none.
   */
  carry({ name, files }: PickedFolder): void {
    const { links, models } = this.session;
    links.usual = models.add(name, files);
    this.open("");
  }

  /**
   * Sets fields of the State. The other fields keep their values; with `isWhole` they get their
   * defaults.
   *
   * @throws HeadscopeError `attribute/unreadable` for a name that no field has, or a value that a
   *   field cannot have; nothing is set then.
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
    this.trust(decoded.state);
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

  /** Scrolls to a part of the explorer; nothing happens without a view. */
  reveal(part: ExplorerPart): void {
    this.session.page.show?.(part);
  }

  /**
   * Loads and computes what the State asks for, until `dispose`; may be called again afterwards.
   */
  begin(): void {
    this.session.begin();
  }

  /** Ends the explorer's runs and its use of models. */
  dispose(): void {
    this.session.end();
  }

  /**
   * Lets the models be fetched that attributes name on the server of the page around: who wrote
   * that page has chosen them. About one of another server the reader is asked.
   */
  private trust({ model, otherModel }: Pick<State, "model" | "otherModel">): void {
    const { session } = this;
    const around = new URL(document.baseURI).origin;
    for (const one of [model, otherModel])
      if (one !== null && isAddressed(one) && new URL(session.addressOf(one)).origin === around)
        session.agree(one, null);
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
