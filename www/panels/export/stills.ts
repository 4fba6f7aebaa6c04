/** Pictures of what the page shows, for the code of figures. */
import type { Printable } from "../../elements/shared/figure.js";
import { loadSentences } from "../../i18n/index.js";
import type { Session } from "../../session/session.js";
import type { PairPart } from "./pictures.js";

/** Offers pictures of a session; `figure` finds the figure on the screen. */
export function offerStills(session: Session, figure: (part: PairPart) => Printable | null): void {
  session.page.still = async (name) => {
    const [{ pictureChoices }] = await Promise.all([
      import("./pictures.js"),
      loadSentences("export", "notices", "pairs", "pictures", "steps"),
      drawn(session),
    ]);
    const { subject } = session;
    const choice = subject && pictureChoices(subject).find((one) => one.name === name);
    const shown = figure("all");
    return choice && shown ? session.locale.within(() => choice.read(shown, "all")) : null;
  };
}

/** Waits for a picture that was chosen a moment ago, which has nothing to draw yet. */
async function drawn(session: Session): Promise<void> {
  // Reading begins within a frame, and what was read is rendered within another.
  await nextFrame();
  await session.atRest();
  await nextFrame();
}

const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);
