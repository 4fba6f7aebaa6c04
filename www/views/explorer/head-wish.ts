import { subjectOf, type ExportSubject } from "../export/subject.js";
import { Later } from "../../ui/lazy.js";
import type { Computation } from "../run/computation.js";
import type { FigureDesk } from "../run/figures.js";
import { lensOf } from "../run/looked.js";
import type { Store } from "../../state/index.js";
import type { Scene } from "./scene.js";

/** What has the GPU paint the picture, wanted where it computes. */
const PAINTED = new Later(() => import("../run/painted-head.js"));

/** How the page wants a head read: painted by a GPU while a heatmap is all that is shown of it, else whole. */
export class HeadWish {
  /** Whether somebody asked for all numbers of this model's runs. */
  all = false;
  /** Whether the numbers that are looked at are all that the page needs. */
  private painted = false;

  constructor(
    private readonly store: Store,
    private readonly computation: Computation,
    private readonly desk: FigureDesk,
  ) {}

  /** Gives back whether there is a head that could be asked for. */
  want({ shown, beside }: Scene): boolean {
    const { model, run, revision, sourceRevision, busy, stopped } = this.computation;
    const { state } = this.store;
    // A stop lets the step under way end: the engine may have a word more than the page.
    const grows =
      (busy || stopped) &&
      model?.info.architecture === "encoder-decoder" &&
      shown?.stack !== "encoder" &&
      state.target === null;
    // Null while it is on its way, and with it the head.
    const by = model?.info.backend === "webgpu" && !PAINTED.failure ? PAINTED.want() : undefined;
    this.painted = !this.all && by?.canBePainted(state) === true;
    if (!run || !shown || by === null) return false;
    this.desk.wantHead(
      { run, revision, sourceRevision },
      shown,
      state.picture,
      beside,
      state.edits.attention.some(({ dropout }) => dropout),
      this.painted && by ? { by, stage: state.stage, lens: lensOf(state), grows } : null,
    );
    return true;
  }

  /** What can be saved: nothing of numbers that are not all there. */
  subjectIn(scene: Scene): ExportSubject | null {
    return this.painted || !scene.figures?.painted
      ? subjectOf(this.store.state, scene, this.computation)
      : null;
  }
}
