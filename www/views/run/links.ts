import type { HeadRef } from "../../data/index.js";
import { download } from "../../export/download.js";
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

/** What is there, of all that a State can ask for: the head that is shown for it, and once everything was read its pairs. */
export interface There {
  chosen: HeadRef | null;
  /** Null while it is being computed or read. */
  displayed: DisplayedPattern | null;
  /** How many tokens the two texts have. */
  sourceTokens: number;
  targetTokens: number;
}

/**
 * What a link, a file or an element's attributes ask for by number, which only a model and its run can say to be there:
 * a stack, a layer, a head, a pair, tokens. Where something is not, the nearest or nothing is shown, and a notice says so.
 * What a reader asks for afterwards is no matter: nobody can point at what is not there.
 */
export class Arrival {
  private head: Decoded | null = null;
  private held: Decoded | null = null;
  /** What the page shows now. */
  private now: State | null = null;

  constructor(private readonly notices: NoticeBoard) {}

  /** `state` is what the page makes of it, to be looked for when there is something to look at. */
  expect(decoded: Decoded, state: State): void {
    this.comeBack();
    this.head = { ...decoded, state };
    this.held = this.head;
  }

  /** To an address that the page wrote itself: a head of the model before may stand in it, which nobody asked of this one. */
  comeBack(): void {
    for (const key of [
      "notice.place.stack",
      "notice.place.head",
      "notice.place.held",
      "notice.place.number",
    ] as const)
      this.notices.take(key);
    this.head = null;
    this.held = null;
  }

  follow(state: State, there: There): void {
    this.now = state;
    if (there.chosen && this.head) this.compareHead(this.head, state, there.chosen);
    if (there.displayed && this.held) this.compareHeld(this.held, state, there, there.displayed);
  }

  private compareHead(
    { state: asked, said }: Decoded,
    state: State,
    { stack, layer, head }: HeadRef,
  ): void {
    this.head = null;
    if (
      state.model !== asked.model ||
      state.stack !== asked.stack ||
      state.layer !== asked.layer ||
      state.head !== asked.head
    )
      return;
    const shown = { layer: `${layer + 1}`, head: `${head + 1}` };
    if (said.includes("stack") && stack !== asked.stack) {
      this.notices.post("notice.place.stack", shown, {
        code: "place/stack",
        names: { asked: `stack.${asked.stack}`, stack: `stack.${stack}` },
      });
    } else if (
      (said.includes("layer") && layer !== asked.layer) ||
      (said.includes("head") && head !== asked.head)
    ) {
      this.notices.post(
        "notice.place.head",
        { askedLayer: `${asked.layer + 1}`, askedHead: `${asked.head + 1}`, ...shown },
        { code: "place/head", names: { stack: `stack.${stack}` } },
      );
    }
  }

  private compareHeld(
    { state: asked, said }: Decoded,
    state: State,
    { sourceTokens, targetTokens }: There,
    { figures }: DisplayedPattern,
  ): void {
    this.held = null;
    if (state.model !== asked.model || state.text !== asked.text || state.stack !== asked.stack)
      return;
    if (said.includes("number") && state.picture === "steps")
      void this.compareNumber(state, figures);
    const { queries, keys } = figures;
    const { locked, picked } = asked;
    const pairLost =
      said.includes("locked") &&
      locked !== null &&
      state.locked === locked &&
      (locked.query >= queries.length || locked.key >= keys.length);
    const count = picked?.side === "target" ? targetTokens : sourceTokens;
    const tokenLost =
      said.includes("picked") &&
      picked !== null &&
      state.picked === picked &&
      picked.tokens.some((token) => token >= count);
    if (pairLost || tokenLost) this.notices.post("notice.place.held", {}, { code: "place/held" });
  }

  /** Which numbers there are, the steps of the block say; that they cannot be read, their figure. */
  private async compareNumber(
    { number }: State,
    { run, head }: DisplayedPattern["figures"],
  ): Promise<void> {
    const steps = await run.steps(head).catch(() => null);
    if (
      steps === null ||
      number === null ||
      this.now?.number !== number ||
      heldNumber(steps, number, null)
    )
      return;
    this.notices.post("notice.place.number", {}, { code: "place/number" });
  }
}

/** Codes of what is wrong with a file that is to be opened as a page. */
export type FileCode = `file/${FileProblem | "too-large" | "unreadable"}`;

/** Hands the page to the reader as a file that is named after its text. */
export function savePage(state: State): Promise<void> {
  const name = state.text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, 40)
    .trim();
  return download(
    new Blob([encodeFile(state)], { type: "application/json" }),
    `${name || "page"}.json`,
  );
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
export class Exchange {
  /** Whether the link was copied a moment ago. */
  @tracked linkCopied = false;
  /** What was asked for when the page came to show what it shows. */
  readonly arrival: Arrival;

  /** How many links were followed. */
  private followed = 0;

  constructor(
    private readonly store: Store,
    private readonly notices: NoticeBoard,
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
    this.linkCopied = true;
    setTimeout(() => (this.linkCopied = false), COPIED_MILLIS);
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
    if (state.labs !== null) void this.readDemos(state.labs, state);
    if (own) this.arrival.comeBack();
    else this.arrival.expect(decoded, state);
    // Who follows a link to the bench came for it. Whoever comes back to the page knows where it is.
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
