import type { ModelInfo, StepTensor } from "../data/index.js";
import { equals } from "../data/equal.js";
import {
  bindAddress,
  type Decoded,
  fieldsOf,
  type ModelName,
  type State,
  type Store,
} from "../state/index.js";
import { guidanceOf } from "./guidance.js";
import { loadGuides } from "./load-guides.js";
import { arrivalAt, isBareStep, stateOf, stateOfAddress } from "./tour-steps.js";
import type { HeadFigures } from "./run/head.js";
import type * as PageFiles from "./page-file.js";
import type { NoticeBoard } from "./run/notices.js";

const NO_IMAGE: PageFiles.PageImage = {
  written: () => Promise.resolve(null),
  read: () => Promise.resolve(),
};

/** The ways by which a State enters and leaves the page: its address, the copied link, the file. */
export class PageLinks {
  /** The model of addresses that name none; null for that of a first visit. */
  usual: ModelName | null = null;
  /** The last link, until it was compared with the model. */
  private asked: Decoded | null = null;
  /** The last State that was read. */
  private last: State | null = null;

  constructor(
    private readonly store: Store,
    private readonly notices: NoticeBoard,
    /** Opens the part of a narrow page that has the experiments. */
    private readonly openExperiment: () => void,
    private readonly image = NO_IMAGE,
  ) {}

  /** Keeps the page and its address equal, until the returned function is called. */
  bindAddress(): () => void {
    return bindAddress(this.store, {
      read: (decoded, own) => this.read(decoded, own),
      written: (whole) => this.notices.followLength(whole),
    });
  }

  /** Shows a decoded address or decoded attributes, as the start of a visit. */
  show(decoded: Decoded): void {
    this.store.replace(this.read(decoded));
  }

  /**
   * Changes the fields of some attributes to what was read of them, as one step of undo; nothing
   * happens where they are so already.
   */
  change(decoded: Decoded, attributes: readonly string[]): void {
    const { state: now } = this.store;
    const isOther = (key: keyof State): boolean => !equals(decoded.state[key], now[key]);
    const named = fieldsOf(attributes).filter(isOther);
    if (named.length === 0) return;
    const { tour, lesson } = decoded.state;
    const isAlone = (name: keyof State): boolean => named.every((key) => key === name);
    // A step without other fields stands for the State of the step. Of a lesson its card has that.
    const patch: Partial<State> =
      tour !== null && isAlone("tour")
        ? arrivalAt(tour, now)
        : lesson !== null && isAlone("lesson")
          ? { ...stateOf({}, now), lesson }
          : Object.fromEntries(named.map((key) => [key, decoded.state[key]]));
    const state = { ...now, ...patch };
    this.forgetPlaces();
    this.asked = { ...decoded, named, state };
    if (named.includes("experiment") && state.experiment !== null) this.openExperiment();
    this.store.step(patch);
  }

  /** Saves the page, with the image of its user, as a file that is named after its text. */
  async saveFile(): Promise<void> {
    const files = await this.reach();
    await files?.savePage(this.store.state, this.notices, this.image);
  }

  /**
   * Shows a page that was saved as a file, as a step that can be undone; or posts the code of the
   * reason why it cannot be shown.
   */
  async openFile(file: File): Promise<void> {
    const files = await this.reach();
    const { store, notices, image } = this;
    const decoded = await files?.openedPage(file, store.state, notices, image);
    if (!files || !decoded) return;
    const { needs } = decoded;
    const read = { ...this.read(decoded), ...(needs !== undefined && { model: needs }) };
    // A page that was saved on the CPU does not name the backend, so the present backend stays.
    const { backend } = decoded.named.includes("backend") ? read : store.state;
    const next = { ...read, backend };
    // Of a file that differs in its image alone, undo would take nothing back.
    if (!files.isSamePage(next, store.state)) store.step(next);
  }

  /** The code for files, which is fetched with the first of them; null where it does not come. */
  private async reach(): Promise<typeof PageFiles | null> {
    try {
      return await import("./page-file.js");
    } catch {
      this.notices.post("embed.unreached");
      return null;
    }
  }

  /** Removes what was said of the places that the last link named. */
  private forgetPlaces(): void {
    const places = ["stack", "head", "held", "number", "joined"] as const;
    this.notices.remove(...places.map((what) => `notice.place.${what}` as const));
  }

  /**
   * Reads a decoded State. `own` marks an address that the page wrote itself: it may name a head of
   * the model before, and does not open the experiments.
   */
  private read(decoded: Decoded, own = false): State {
    const { notices } = this;
    notices.report(decoded);
    const state = this.withModel(decoded, stateOfAddress(decoded));
    const { tour } = state;
    if (tour !== null && guidanceOf(tour) === null && isBareStep(decoded))
      void this.arriveLater(decoded);
    this.forgetPlaces();
    this.asked = own ? null : { ...decoded, state };
    this.last = state;
    if (!own && state.experiment !== null) this.openExperiment();
    return state;
  }

  /** Shows the State of a step once the guides are there, unless the user has gone elsewhere. */
  private async arriveLater(decoded: Decoded): Promise<void> {
    try {
      await loadGuides();
    } catch {
      this.notices.post("embed.unreached");
      return;
    }
    if (this.store.state.tour === decoded.state.tour) this.store.replace(this.read(decoded));
  }

  /** The State of an address, with the usual model where the address names none. */
  private withModel({ named }: Decoded, state: State): State {
    const { usual } = this;
    const isNamed = usual === null || state.tour !== null || named.includes("model");
    return isNamed ? state : { ...state, model: usual };
  }

  /**
   * Compares what a link, a file or an element's attributes named with the model and its run, once
   * those are read; later changes by the user are not compared. `steps` are the steps of the block,
   * if they are shown.
   */
  async compare(
    state: State,
    figures: HeadFigures,
    info: ModelInfo,
    steps: readonly StepTensor[] | null = null,
  ): Promise<void> {
    const { asked, notices } = this;
    this.asked = null;
    // A first visit names nothing, and needs none of this.
    if (!asked || asked.named.length === 0) return;
    const { last } = this;
    try {
      const { comparePlaces } = await import("./link-places.js");
      // What another link has brought since is compared with that one.
      if (last === this.last) comparePlaces(asked, notices, state, figures, info, steps);
    } catch {
      notices.post("embed.unreached");
    }
  }
}
