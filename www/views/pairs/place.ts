import { nothing, type TemplateResult } from "lit";
import { loadSentences } from "../../i18n/index.js";
import type { Store } from "../../state/index.js";
import type { Scene } from "../explorer/scene.js";
import type { ExportSubject } from "../export/subject.js";
import { Later } from "../../ui/lazy.js";
import type { LaterPlaces } from "../../ui/lazy.js";
import type { Computation } from "../run/computation.js";
import type { Shelf } from "../run/model-pool.js";
import type { PairHost, PairSide } from "./side.js";
import { comparisonOf } from "./wish.js";

const SIDE = new Later(async () => {
  const [side] = await Promise.all([import("./side.js"), loadSentences("pairs")]);
  return side;
});

/** Where a second run has its place on the page. All that computes and shows one is fetched when the first is wanted. */
export class PairPlace {
  private side: PairSide | null = null;
  private wanted = false;

  constructor(
    private readonly store: Store,
    private readonly shelf: Shelf,
    private readonly computation: Computation,
    private readonly host: PairHost & { places: LaterPlaces },
  ) {}

  /** Two runs, once what shows them is here; until then the page stays as it is. */
  get shown(): PairSide | null {
    return this.side && this.store.state.compare !== null ? this.side : null;
  }

  get busy(): boolean {
    return this.side?.busy ?? false;
  }

  /** Why something of the second run could not be read; null while all could. */
  get unread(): unknown {
    return this.side?.unread ?? null;
  }

  /** Another run is coming: what could not be read is no matter. */
  forgive(): void {
    this.side?.forgive();
  }

  /** What active edits changed, for the inspector; null without any. */
  get changes(): PairSide["changes"] {
    return this.side?.changes ?? null;
  }

  /** Follows what the page shows of the first run. */
  update(scene: Scene): void {
    this.wanted = this.side !== null || comparisonOf(this.store.state, this.computation) !== null;
    const part = this.wanted ? SIDE.want() : null;
    if (part) this.side ??= new part.PairSide(this.store, this.shelf, this.computation, this.host);
    this.side?.update(scene);
  }

  /** Lets the second run go. */
  leave(): void {
    this.side?.leave();
  }

  /** Where the second text is typed; nothing while the page shows one run. */
  renderBar(): TemplateResult | typeof nothing {
    const { side } = this;
    if (side) return side.renderBar();
    return this.wanted && (SIDE.failure || this.store.state.compare)
      ? this.host.places.show(SIDE, () => nothing)
      : nothing;
  }

  /** What can be exported: both runs, where the page shows two; null while they are not those that are asked for. */
  exported(subject: ExportSubject | null): ExportSubject | null {
    return this.store.state.compare === null ? subject : (this.side?.exported(subject) ?? null);
  }
}
