/** What an export is about: everything that the page shows. */
import type { Edits, HeadRef, ModelInfo, ModelNotes } from "../data/index.js";
import type { Chip } from "../elements/chips.js";
import type { Reading } from "../export/provenance.js";
import type { Run } from "../headscope.js";
import type { State } from "../state/index.js";
import type { PairedHead, PairNames, WordPair } from "./alignment.js";
import { editsIn, type Computation } from "./run/computation.js";
import { tokensOf } from "./run/selection.js";
import type { ShownImage } from "./run/shown-image.js";
import type { DisplayedPattern, HeadFigures } from "./run/head.js";
import type { KnownRoles } from "./run/head-order.js";

export interface ComparedSubject {
  paired: PairedHead;
  reading: Reading;
  names: PairNames;
  /**
   * The function that pairs every word that has a counterpart; it returns none if the states of the
   * models have no axes in common.
   */
  words: () => WordPair[];
  /** The words whose cosines are shown. */
  shownWords: readonly WordPair[];
}

/** The subject of an export: everything that the page shows, with all settings that decided it. */
export interface ExportSubject {
  state: State;
  info: ModelInfo;
  /** The roles of the model's heads on held-out text. */
  notes: ModelNotes | null;
  /** The roles of the heads of the stack that are shown; null until there are some. */
  knownRoles: KnownRoles | null;
  run: Run;
  head: HeadRef;
  figures: HeadFigures;
  displayed: DisplayedPattern;
  /** The text of a translator's decoder; null without a second text. */
  target: string | null;
  edits: Edits;
  editWords: string[];
  /** Whether a model of images has read an image of the user. */
  isOwnImage: boolean;
  /** The address of the page that links lead to. */
  home: string;
  /** The second run; null while the page shows one run. */
  compared: ComparedSubject | null;
}

/**
 * The export subject of the head that the session has read. Null while the pictures belong to
 * another text than the State, so that a file never names the wrong text.
 */
export function subjectOf(
  state: State,
  shown: {
    readonly figures: HeadFigures | null;
    readonly displayed: DisplayedPattern | null;
    readonly knownRoles: KnownRoles | null;
    readonly chips: readonly Chip[];
    readonly shownImage: Pick<ShownImage, "isOwn">;
    readonly home: string;
  },
  { model, run, applied, busy, failure, stopped }: Computation,
): ExportSubject | null {
  const { figures, displayed } = shown;
  if (!model || !run || busy || stopped || failure || !displayed || figures?.run !== run)
    return null;
  // A run grows while it writes, so the figures may have fewer tokens than the run.
  const { queries } = tokensOf(run, figures.head.stack);
  if (figures.queries.length !== queries.length) return null;
  const { info, notes } = model;
  return {
    info,
    notes,
    knownRoles: shown.knownRoles,
    run,
    figures,
    displayed,
    // The State keeps a text for the next model that reads text.
    state: info.image ? { ...state, text: "" } : state,
    head: figures.head,
    target: info.architecture === "encoder-decoder" ? (state.target ?? run.targetText) : null,
    edits: editsIn(state.edits, applied),
    editWords: shown.chips.flatMap(({ label, inactive }) => (inactive ? [] : [label])),
    isOwnImage: shown.shownImage.isOwn,
    home: shown.home,
    compared: null,
  };
}
