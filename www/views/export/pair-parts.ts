import type { Provenance } from "../../export/exhibit.js";
import { message } from "../../i18n/index.js";
import { DEFAULT_STATE, NO_EDITS, type State } from "../../state/index.js";
import { otherTextOf } from "../pairs/wish.js";
import { pairLines } from "./pair-words.js";
import { partShown } from "./part.js";
import { provenanceOf, readingOf, type ComparedSubject, type ExportSubject } from "./subject.js";

/** What of two runs can be a picture of its own. */
export const PAIR_PARTS = ["all", "first", "second", "difference"] as const;
export type PairPart = (typeof PAIR_PARTS)[number];

/** Where a picture or the numbers of either run come from: the second's are its own, beside the first. */
export function runProvenance(
  which: "first" | "second",
  subject: ExportSubject,
  compared: ComparedSubject,
  quantity: string,
): Provenance {
  const first = provenanceOf(subject, { quantity, ...subject.head });
  return which === "first"
    ? first
    : { ...first, ...compared.reading, compared: readingOf(subject) };
}

export function partProvenance(
  part: PairPart,
  subject: ExportSubject,
  compared: ComparedSubject,
): Provenance {
  const { stage } = subject.state;
  const { one, other, shared } = compared.paired;
  const { queries, keys } =
    part === "first"
      ? one
      : part === "second"
        ? other
        : { queries: shared.queries.tokens, keys: shared.keys.tokens };
  const shown = partShown(subject, { rows: queries.length, columns: keys.length });
  if (part === "first" || part === "second")
    return { ...runProvenance(part, subject, compared, stage), part: shown };
  return provenanceOf(subject, {
    quantity: part === "all" ? `${stage}-compared` : `${stage}-difference`,
    ...subject.head,
    part: shown,
  });
}

const TITLES = {
  all: "pairs.exportPicture",
  first: "pairs.exportFirst",
  second: "pairs.exportSecond",
  difference: "pairs.exportDifference",
} as const satisfies Record<PairPart, string>;

/** What the picture is called: by the first run's head, but for the second's own. */
export function partTitle(
  part: PairPart,
  { state, head: own }: ExportSubject,
  { paired }: ComparedSubject,
): string {
  const { stack, layer, head } = part === "second" ? paired.other.head : own;
  const what = message(TITLES[part], { what: message(`stage.${state.stage}`) });
  return message("export.title", {
    stack: message(`stack.${stack}`),
    layer: layer + 1,
    head: head + 1,
    what,
  });
}

/** Which two runs it is about: what stands in it also follows from the other, whose scale it shares. */
export function partLines(
  part: PairPart,
  subject: ExportSubject,
  compared: ComparedSubject,
): string[] {
  return pairLines(subject, compared, part === "all" || part === "difference");
}

/** The State that shows one of the runs alone, in a heatmap and as a comparison does, by token; null for what no figure shows alone. */
export function partState(
  part: PairPart,
  { state, target }: ExportSubject,
  { paired }: ComparedSubject,
): State | null {
  if (part !== "first" && part !== "second") return null;
  const { unit, specials, sink } = DEFAULT_STATE;
  const alone: State = {
    ...state,
    picture: "heatmap",
    unit,
    specials,
    sink,
    picked: null,
    compare: null,
  };
  if (part === "first") return alone;
  const text = state.compare === "original" ? state.text : otherTextOf(state);
  const same = text === state.text;
  const model = (state.compare === "original" ? null : state.otherModel) ?? state.model;
  const hidden = same && model === state.model ? state.hidden : [];
  // The original read what was written under the edits.
  const ownTarget = state.compare === "original" ? target : same ? state.target : null;
  return {
    ...alone,
    ...paired.other.head,
    model,
    text,
    target: ownTarget,
    hidden,
    edits: NO_EDITS,
    locked: null,
  };
}
