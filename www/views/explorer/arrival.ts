import type { HeadRef } from "../../data/index.js";
import type { Decoded, State } from "../../state/index.js";
import type { Looked } from "../run/looked.js";
import { heldNumber } from "../run/steps.js";
import type { NoticeBoard } from "./notice-board.js";

/** What is there, of all that a State can ask for: the head that is shown for it, and once everything was read its pairs. */
export interface There {
  chosen: HeadRef | null;
  /** Null while it is being computed or read. */
  looked: Looked | null;
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
    if (there.looked && this.held) this.compareHeld(this.held, state, there, there.looked);
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
    { figures }: Looked,
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
  private async compareNumber({ number }: State, { run, head }: Looked["figures"]): Promise<void> {
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
