import type { HeadRef } from "../../data/index.js";
import { download } from "../../export/download.js";
import type { Run } from "../../headscope.js";
import { tracked } from "../../signals.js";
import {
  bindAddress,
  decodeAttributes,
  type Decoded,
  decodeFile,
  encodeFile,
  type FileProblem,
  LARGEST_FILE_BYTES,
  linkTo,
  type State,
  type Store,
} from "../../state/index.js";
import { Later } from "../../ui/lazy.js";
import { home } from "../home.js";
import type { NoticeBoard } from "./notices.js";
import type { DisplayedPattern } from "./displayed.js";
import { heldNumber } from "./readings.js";
import { stateOfAddress } from "../tour/steps.js";

/** What the model and its run have of what a link can name: the chosen head, its pattern, the texts. */
export interface Available {
  chosen: HeadRef | null;
  /** Null while it is being computed or read. */
  displayed: DisplayedPattern | null;
  /** How many tokens the two texts have. */
  sourceTokens: number;
  targetTokens: number;
}

/**
 * Compares what a link, a file or an element's attributes name by number (a stack, a layer, a head, a pair, tokens, an
 * intermediate value) with what the model and its run have. Where something is missing, the nearest or nothing is shown,
 * and a notice says so. What a user changes afterwards is not compared.
 */
export class LinkCheck {
  /** The link, until its head was compared, and until its pair and its tokens were. */
  private head: Decoded | null = null;
  private held: Decoded | null = null;
  /** What the page shows now. */
  private now: State | null = null;

  constructor(private readonly notices: NoticeBoard) {}

  /** `state` is what the page makes of the link. */
  expect(decoded: Decoded, state: State): void {
    this.clear();
    this.head = this.held = { ...decoded, state };
  }

  /** An address that the page wrote itself is not compared: it may name a head of the model before. */
  clear(): void {
    for (const what of ["stack", "head", "held", "number"] as const)
      this.notices.take(`notice.place.${what}`);
    this.head = this.held = null;
  }

  follow(state: State, available: Available): void {
    const { head, held } = this;
    this.now = state;
    if (available.chosen && head) this.compareHead(head, state, available.chosen);
    if (available.displayed && held)
      this.compareHeld(held, state, available, available.displayed.figures);
  }

  private compareHead(
    { state: asked, said }: Decoded,
    state: State,
    { stack, layer, head }: HeadRef,
  ): void {
    this.head = null;
    if ((["model", "stack", "layer", "head"] as const).some((name) => state[name] !== asked[name]))
      return;
    const shown = { layer: `${layer + 1}`, head: `${head + 1}` };
    const names = { asked: `stack.${asked.stack}`, stack: `stack.${stack}` } as const;
    const found = { stack, layer, head };
    const isOther = (name: keyof HeadRef): boolean =>
      said.includes(name) && found[name] !== asked[name];
    if (isOther("stack"))
      this.notices.post("notice.place.stack", shown, { code: "place/stack", names });
    else if (isOther("layer") || isOther("head"))
      this.notices.post(
        "notice.place.head",
        { askedLayer: `${asked.layer + 1}`, askedHead: `${asked.head + 1}`, ...shown },
        { code: "place/head", names: { stack: names.stack } },
      );
  }

  private compareHeld(
    { state: asked, said }: Decoded,
    state: State,
    { sourceTokens, targetTokens }: Available,
    { run, head, queries, keys }: DisplayedPattern["figures"],
  ): void {
    this.held = null;
    if ((["model", "text", "stack"] as const).some((name) => state[name] !== asked[name])) return;
    if (said.includes("number") && state.picture === "steps")
      void this.compareNumber(state, run, head);
    const isAsked = (name: "locked" | "picked"): boolean =>
      said.includes(name) && state[name] === asked[name];
    const { locked, picked } = asked;
    const count = picked?.side === "target" ? targetTokens : sourceTokens;
    const pairMissing = locked && (locked.query >= queries.length || locked.key >= keys.length);
    const tokenMissing = picked?.tokens.some((token) => token >= count);
    if ((isAsked("locked") && pairMissing) || (isAsked("picked") && tokenMissing))
      this.notices.post("notice.place.held", {}, { code: "place/held" });
  }

  /** The steps of the block say which values there are; a failure to read them is shown by their figure. */
  private async compareNumber({ number }: State, run: Run, head: HeadRef): Promise<void> {
    const steps = await run.steps(head).catch(() => null);
    const isAsked = steps !== null && number !== null && this.now?.number === number;
    if (isAsked && !heldNumber(steps, number, null))
      this.notices.post("notice.place.number", {}, { code: "place/number" });
  }
}

/** Codes of what is wrong with a file that is to be opened as a page. */
export type FileCode = `file/${FileProblem | "too-large" | "unreadable"}`;

/** Saves the page as a file that is named after its text. */
export function savePage(state: State): Promise<void> {
  const words = state.text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const name = words.slice(0, 40).trim() || "page";
  return download(new Blob([encodeFile(state)], { type: "application/json" }), `${name}.json`);
}

/** What a saved page says, or the code of why it is none. */
export async function readPage(file: File): Promise<Decoded | FileCode> {
  if (file.size > LARGEST_FILE_BYTES) return "file/too-large";
  try {
    const read = decodeFile(await file.text());
    return typeof read === "string" ? `file/${read}` : read;
  } catch {
    return "file/unreadable"; // Moved or forbidden since it was picked.
  }
}

/** The fields of demos are fetched with the first link that sets any. */
const FIELDS = new Later(() => import("../demos/fields.js"));
/** How long the button says that the link was copied. */
const COPIED_MILLIS = 2000;

/** The ways in which a State comes to the page and leaves it: its address, the link that is copied, the file. */
export class PageLinks {
  /** Whether the link was copied a moment ago. */
  @tracked linkCopied = false;
  readonly check: LinkCheck;

  /** How many links were followed. */
  private followed = 0;

  constructor(
    private readonly store: Store,
    private readonly notices: NoticeBoard,
    /** Opens the part of a narrow page that has the experiments. */
    private readonly openBench: () => void,
  ) {
    this.check = new LinkCheck(notices);
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

  /** Copies the link to the page to the clipboard. */
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
    this.linkCopied = true;
    setTimeout(() => (this.linkCopied = false), COPIED_MILLIS);
  }

  /** Shows a page that was saved as a file, as a step that can be undone. */
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
    if (state.labs !== null) void this.readDemos(state.labs, state);
    if (own) this.check.clear();
    else this.check.expect(decoded, state);
    // A link to the experiments opens them; an address that the page wrote itself does not.
    if (!own && state.bench !== null) this.openBench();
    return state;
  }

  /** Names settings of demos that cannot be, also of those that are not open. */
  private async readDemos(asked: string, state: State): Promise<void> {
    const { followed } = this;
    await FIELDS.come();
    const { readDemos } = FIELDS.want() ?? {};
    if (!readDemos || followed !== this.followed) return;
    const { unread } = readDemos(asked, state);
    if (unread.length === 0) return;
    this.notices.reportMore(unread);
    // An open demo may have replaced its own settings by now.
    const { labs } = this.store.state;
    if (labs !== null) this.store.update({ labs: readDemos(labs, this.store.state).labs });
  }
}
