import {
  bindAddress,
  decodeAttributes,
  linkTo,
  type Decoded,
  type State,
  type Store,
} from "../../state/index.js";
import { home } from "../home.js";
import { Later } from "../../ui/lazy.js";
import { stateOfAddress } from "../tour/steps.js";
import { Arrival } from "./arrival.js";
import type { NoticeBoard } from "./notice-board.js";
import { readPage, savePage } from "./saved-page.js";

/** What laboratories can be set to is read with the first link that sets any. */
const LABS = new Later(() => import("../bench/lab-link.js"));
/** How long the button says that the link was copied. */
const COPIED_MILLIS = 2000;

/** The ways in which a State comes to the page and leaves it: its address, the link that is copied, the file. */
export class Exchange {
  /** Whether the link was copied a moment ago. */
  linkCopied = false;
  /** What was asked for when the page came to show what it shows. */
  readonly arrival: Arrival;

  /** How many links were followed. */
  private followed = 0;

  constructor(
    private readonly store: Store,
    private readonly notices: NoticeBoard,
    private readonly changed: () => void,
    /** Opens the part of a narrow page that has the bench. */
    private readonly openBench: () => void,
  ) {
    this.arrival = new Arrival(notices);
  }

  /** Keeps the page and its address the same, until the returned function is called. */
  bindAddress(): () => void {
    return bindAddress(this.store, {
      read: (decoded, own) => this.read(decoded, own),
      written: (whole) => this.notices.followLength(whole),
    });
  }

  /** Shows what an element's attributes say, once. */
  readAttributes(element: Element): void {
    this.store.replace(this.read(decodeAttributes(element)));
  }

  /** Puts the link to the page where it can be pasted from. */
  async copyLink(): Promise<void> {
    const link = linkTo(this.store.state, home());
    if (link === null) {
      this.notices.offerFile();
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      this.notices.post("bar.linkFailed", {}, { code: "link/not-copied" });
      return;
    }
    this.sayCopied(true);
    setTimeout(() => this.sayCopied(false), COPIED_MILLIS);
  }

  /** Shows a page that was saved as a file. What was on the screen can be had back. */
  async openFile(file: File): Promise<void> {
    const decoded = await readPage(file);
    if (typeof decoded === "string") this.notices.post(`error.${decoded}`, {}, { code: decoded });
    else this.store.step(this.here(decoded));
  }

  saveFile(): void {
    void savePage(this.store.state);
  }

  /** A page that was saved where the CPU computes does not say so, and is no reason to leave the GPU. */
  private here(decoded: Decoded): State {
    const read = this.read(decoded);
    return decoded.said.includes("backend") ? read : { ...read, backend: this.store.state.backend };
  }

  /** `own` is what the page wrote itself. */
  private read(decoded: Decoded, own = false): State {
    this.notices.report(decoded);
    this.followed += 1;
    const state = stateOfAddress(decoded);
    if (state.labs !== null) void this.readLabs(state.labs, state);
    if (own) this.arrival.comeBack();
    else this.arrival.expect(decoded, state);
    // Who follows a link to the bench came for it. Whoever comes back to the page knows where it is.
    if (!own && state.bench !== null) this.openBench();
    return state;
  }

  /** What is set in laboratories is told at once where it cannot be, also of those that nobody has opened yet. */
  private async readLabs(asked: string, state: State): Promise<void> {
    const { followed } = this;
    await LABS.come();
    const { readLabs } = LABS.want() ?? {};
    if (!readLabs || followed !== this.followed) return;
    const { unread } = readLabs(asked, state);
    if (unread.length === 0) return;
    this.notices.reportMore(unread);
    // An open laboratory may have taken what concerns it out of the address by now.
    const { labs } = this.store.state;
    if (labs !== null) this.store.update({ labs: readLabs(labs, this.store.state).labs });
  }

  private sayCopied(copied: boolean): void {
    this.linkCopied = copied;
    this.changed();
  }
}
