/** Where the numbers of an export come from: its provenance, and the lines that say it. */
import type { Token } from "../data/index.js";
import { regionOf, type Extent } from "../draw/region.js";
import {
  axis,
  NO_HEAD,
  NO_RUN,
  type Axis,
  type Part,
  type Provenance,
  type Reading,
  type View,
} from "../export/provenance.js";
import type { Run } from "../headscope.js";
import { message } from "../i18n/index.js";
import { linkTo } from "../state/index.js";
import { isLinkedFrom } from "./models/addresses.js";
import { modelLabel } from "./models/models.js";
import { type DisplayedPattern, isChanged } from "./run/head.js";
import { pairPictureOf } from "./run/pair-pictures.js";
import type { ComparedSubject, ExportSubject } from "./subject.js";

/**
 * The differences between the picture and the run's own numbers, in the run's rows and columns;
 * null if there are none.
 */
export function viewOf(displayed: DisplayedPattern): View | null {
  if (!isChanged(displayed)) return null;
  const { lens, without, figures } = displayed;
  const token = without === null ? undefined : figures.keys[without];
  return {
    unit: lens.byWord ? "word" : "token",
    specialTokens: lens.ordinaryOnly ? "hidden" : "shown",
    renormalisedWithout: without !== null && token ? { index: without, token: token.text } : null,
  };
}

/** The part of a pattern of size `whole` that the picture shows; null for the whole pattern. */
export function partShown(
  { state: { picture, region }, compared }: ExportSubject,
  whole: Extent,
): Part | null {
  const enlarges = compared !== null || pairPictureOf(picture)?.enlarges;
  const shown = enlarges ? regionOf(region, whole) : null;
  return shown && { region: shown, whole };
}

export type Portion = Pick<Provenance, "quantity"> & Partial<Provenance>;

/** The provenance of a portion of the export; settings that it does not depend on are null. */
export function provenanceOf(subject: ExportSubject, portion: Portion): Provenance {
  const { state, compared, home } = subject;
  return {
    ...NO_RUN,
    ...readingOf(subject),
    ...NO_HEAD,
    compared: compared?.reading ?? null,
    aligned: compared ? state.aligned : null,
    link: isLinkedFrom(state.model, home) ? linkTo(state, home) : null,
    ...portion,
  };
}

/** The portion of an export that belongs to one of two runs. */
export function portionOfRun(
  which: "first" | "second",
  subject: ExportSubject,
  { reading }: ComparedSubject,
  quantity: string,
): Portion {
  const second = which === "second" ? { ...reading, compared: readingOf(subject) } : {};
  return { quantity, ...subject.head, ...second };
}

function readingOf({ state, run, head, target, edits }: ExportSubject): Reading {
  const { model, text } = state;
  return { model: folderName(model), text, target, masked: maskedIn(run), ...head, edits };
}

/** What the run reads. */
export function inputLine({ state, info, isOwnImage }: ExportSubject): string {
  return info.image
    ? message(isOwnImage ? "image.label" : "image.sample")
    : message("export.text", { text: state.text });
}

export function runLines(subject: ExportSubject): string[] {
  const { state, target, editWords } = subject;
  return [
    message("model.label", { name: modelLabel(state.model) }),
    inputLine(subject),
    target === null
      ? ""
      : message(state.target === null ? "export.written" : "export.own", { text: target }),
    editWords.length === 0 ? "" : message("export.edits", { edits: editWords.join("; ") }),
  ].filter(Boolean);
}

/**
 * An axis of tokens by their own texts, the same in every language, because programs read files
 * too.
 */
export function tokenAxis(name: string, tokens: readonly Token[]): Axis {
  const texts = tokens.map(({ text }) => text);
  return axis(name, texts);
}

export function maskedIn(run: Run): number[] {
  return run.tokens.flatMap((token, index) => (token.maskedText === undefined ? [] : [index]));
}

export function folderName(model: string): string {
  return model.slice(model.indexOf("/") + 1);
}
