// The pictures that can be saved: the one on the screen, in a comparison one of each run, and those
// beside it.
import {
  blockStackOf,
  HELD,
  type HeadRef,
  isJoined,
  isOfStack,
  isShare,
  type Joined,
} from "../../data/index.js";
import { printBars } from "../../draw/charts.js";
import { printGrid, printSpectrum, printTokens } from "../../elements/exports.js";
import { sceneOf, type Printable } from "../../elements/shared/figure.js";
import { labelAt, patchNameAt } from "../../elements/shared/templates.js";
import { NO_HEAD } from "../../export/provenance.js";
import { sideBySide } from "../../export/sheet.js";
import { currentLocale, formatPercent, message } from "../../i18n/index.js";
import { DEFAULT_STATE, nameOfHead, unusualStages, type State } from "../../state/index.js";
import { modelLabel } from "../../session/models/models.js";
import {
  cosineBars,
  cosinesTitle,
  headLabel,
  isSigned,
  LARGEST_COSINE,
  readCosines,
} from "../../session/alignment.js";
import { isOfHeads, otherEditsOf, otherTargetOf, otherTextOf } from "../../session/second-run.js";
import { readEffects } from "../../session/run/effect-thumbnails.js";
import { placeIn, THUMBNAIL_SIZE } from "../../session/run/head.js";
import { drawnBeside } from "../../session/run/export-words.js";
import {
  assignedRoles,
  noteWords,
  rankHeads,
  roleInQuestion,
  type KnownRoles,
  rolesByHead,
} from "../../session/run/head-order.js";
import { namedSpectra, topKeys, topKeysTitle } from "../../session/run/head-words.js";
import { lensSummary } from "../../session/run/export-words.js";
import {
  askedThumbnails,
  quantityOf,
  shownNumbers as numbersOf,
} from "../../session/run/other-numbers.js";
import { comparedPicture, comparedStage } from "../../session/run/pair-pictures.js";
import { ablatedHeads } from "../../session/run/selection.js";
import type { Embedded } from "../../kit/embed-buttons.js";
import { shownNumbers } from "./numbers.js";
import type { Snapshot } from "../../kit/save.js";
import {
  inputLine,
  partShown,
  portionOfRun,
  provenanceOf,
  runLines,
  type Portion,
  viewOf,
} from "../../session/origin.js";
import type { ComparedSubject, ExportSubject } from "../../session/subject.js";

const PAIR_PARTS = ["all", "first", "second", "difference"] as const;
export type PairPart = (typeof PAIR_PARTS)[number];

/** The pictures of a comparison: without a difference where heads have none. */
export function pairParts({ state }: ExportSubject, { paired }: ComparedSubject): PairPart[] {
  const hasDifference = comparedPicture(state) === "heatmap" && paired.shared !== null;
  return PAIR_PARTS.filter((part) => part !== "difference" || hasDifference);
}

export interface PictureChoice {
  name: "shown" | "grid" | "spectrum" | "tokens" | "strongest" | "cosines";
  /** The kind of embed that shows the picture; null for none. */
  code: Embedded | null;
  /** The id of the numbers in the picture. */
  numbers: string;
  read: (figure: Printable, part: PairPart) => Snapshot | Promise<Snapshot>;
}

/** Every picture that can be saved: the one on the screen, and those beside it. */
export function pictureChoices(subject: ExportSubject): [PictureChoice, ...PictureChoice[]] {
  const { info, state, displayed, compared } = subject;
  const shown = shownNumbers(subject);
  // A translator has the tokens of two texts.
  const tokens = info.architecture === "encoder-decoder" ? "both-tokens" : "tokens";
  const choices: [PictureChoice, ...PictureChoice[]] = [
    {
      name: "shown",
      code: "picture",
      numbers: shown,
      read: (figure, part) => shownPicture(subject, figure, part),
    },
    { name: "grid", code: "grid", numbers: "thumbnails", read: () => gridPicture(subject) },
    {
      name: "spectrum",
      code: "spectrum",
      numbers: "singular-values",
      read: () => spectrumPicture(subject),
    },
    { name: "tokens", code: tokens, numbers: shown, read: () => tokensPicture(subject) },
  ];
  // Without a locked pair in the picture there is no query.
  const query = placeIn(displayed, state.locked)?.query;
  if (query !== undefined) {
    const read = (): Snapshot => strongestPicture(subject, query);
    choices.push({ name: "strongest", code: null, numbers: "weights", read });
  }
  const [word] = compared?.shownWords ?? [];
  if (compared && word) {
    const read = (): Promise<Snapshot> => cosinesPicture(subject, compared);
    choices.push({ name: "cosines", code: null, numbers: `cosines ${word.side}`, read });
  }
  return choices;
}

/** The figure on the screen; in a comparison, `part` selects one of the pictures. */
function shownPicture(subject: ExportSubject, figure: Printable, part: PairPart): Snapshot {
  const { compared } = subject;
  const caption = compared ? ofPair(part, subject, compared) : ofHead(subject);
  return { ...caption, scene: sceneOf(figure) };
}

function ofHead(subject: ExportSubject): Snapshot {
  const { state, head, displayed, figures, info } = subject;
  const { picture } = state;
  const numbers = numbersOf(state);
  if (picture === "positions") {
    const stack = blockStackOf(head);
    const title = message("export.positions", { stack: message(`stack.${stack}`) });
    return { title, ...caption(subject, { quantity: "positions", stack }) };
  }
  if (picture === "layers") {
    const stack = info.architecture === "encoder" ? "encoder" : "decoder";
    const title = message("export.layers", { stack: message(`stack.${stack}`) });
    return { title, ...caption(subject, { quantity: "layers", stack }) };
  }
  // Only lines are drawn of several heads at once.
  const beside = picture === "lines" ? drawnBeside(figures) : [];
  const view = lensSummary(displayed).join("; ");
  const extent = { rows: displayed.queries.length, columns: displayed.keys.length };
  const isOfNumbers = picture === "heatmap" || isShare(numbers);
  const what = message(isOfNumbers ? `stage.${numbers}` : `export.${picture}`);
  const place = isJoined(numbers) ? placeOfJoined(numbers, head) : head;
  const portion = {
    quantity: isOfNumbers ? quantityOf(numbers, state.entry) : picture,
    ...place,
    beside,
    view: viewOf(displayed),
    part: partShown(subject, extent),
  };
  const details = view === "" ? [] : [message("lens.exported", { view })];
  const title = isJoined(numbers) ? joinedTitle(numbers, head) : headTitle(head, what, beside);
  return { title, ...caption(subject, portion, details) };
}

/** The stack of joined heads, and their layer if they are not of all. */
function placeOfJoined(of: Joined, { stack, layer }: HeadRef): Partial<HeadRef> {
  return isOfStack(of) ? { stack } : { stack, layer };
}

function joinedTitle(of: Joined, { stack, layer }: HeadRef): string {
  const what = message(`export.${of}`, { layer: layer + 1 });
  return message("export.titleStack", { stack: message(`stack.${stack}`), what });
}

function headTitle(
  { stack, layer, head }: HeadRef,
  what: string,
  beside: readonly number[] = [],
): string {
  const place = { stack: message(`stack.${stack}`), layer: layer + 1, what };
  if (beside.length === 0) return message("export.title", { ...place, head: head + 1 });
  const heads = [head, ...beside].map((index) => index + 1).join(", ");
  return message("export.titleHeads", { ...place, heads });
}

const PAIR_TITLES = {
  all: "pairs.exportPicture",
  first: "pairs.exportFirst",
  second: "pairs.exportSecond",
  difference: "pairs.exportDifference",
} as const;

const BOTH = "pairs.exportBoth" as const;
const HEADS = "pairs.exportHeads" as const;

/** A picture of a comparison, whose scale depends on both sides. */
function ofPair(part: PairPart, subject: ExportSubject, compared: ComparedSubject): Snapshot {
  const { state, head } = subject;
  const { one, other, shared } = compared.paired;
  const alone = part === "first" || part === "second";
  const own = part === "second" ? other : one;
  const tokens = alone || !shared ? [own.queries, own.keys] : [shared.queries, shared.keys];
  const [rows = 0, columns = 0] = tokens.map(
    (axis) => ("tokens" in axis ? axis.tokens : axis).length,
  );
  const picture = comparedPicture(state);
  const stage = comparedStage(state);
  const ofHeads = nameOfHead(other.head) !== nameOfHead(head);
  const name = message(picture === "heatmap" ? `stage.${stage}` : `export.${picture}`);
  const hasDifference = picture === "heatmap" && shared;
  const all = !hasDifference ? BOTH : isOfHeads(state) ? HEADS : PAIR_TITLES.all;
  const titles = { ...PAIR_TITLES, all };
  const what = message(titles[part], { what: name });
  const shown = picture === "heatmap" ? stage : picture;
  const quantity = `${shown}-${part === "all" ? "compared" : "difference"}`;
  const portion = alone ? portionOfRun(part, subject, compared, shown) : { quantity, ...head };
  const both = `${headLabel(head)} | ${headLabel(other.head)} · ${what}`;
  const isTitled = ofHeads && !alone;
  return {
    title: isTitled ? both : headTitle(part === "second" ? other.head : head, what),
    lines: pairLines(subject, compared, !alone && picture === "heatmap", isTitled),
    provenance: provenanceOf(subject, {
      ...portion,
      part: picture === "heatmap" ? partShown(subject, { rows, columns }) : null,
    }),
  };
}

/**
 * Lines about the two runs of a picture, and the alignment of their tokens if they share axes; two
 * heads of one run have its lines, and `isTitled` says that the title names both.
 */
function pairLines(
  subject: ExportSubject,
  { names, paired, reading }: ComparedSubject,
  shareAxes: boolean,
  isTitled: boolean,
): string[] {
  const { state, target, editWords } = subject;
  const { compare, otherModel, model, text, aligned } = state;
  const ofHeads = isOfHeads(state);
  const written = (of: string | null): string | false =>
    of !== null && message("export.own", { text: of });
  const first = message("pairs.exportedFirst", { name: names.one });
  const second = message("pairs.exportedSecond", { name: names.other });
  const runs = ofHeads
    ? [...runLines(subject), ...(isTitled ? [] : [first, second])]
    : [
        (otherModel ?? model) === model && message("model.label", { name: modelLabel(model) }),
        // What both runs read is in neither name.
        reading.text === text && names.one !== text && inputLine(subject),
        first,
        written(target),
        editWords.length > 0 && message("export.edits", { edits: editWords.join("; ") }),
        second,
        compare !== "original" && written(reading.target),
      ];
  return [
    ...runs,
    shareAxes && compare === "other" && !ofHeads && message(`pairs.aligned.${aligned}`),
    shareAxes && paired.shared && isSigned(paired.shared) && message("pairs.signs"),
  ].filter((line) => typeof line === "string");
}

/**
 * The State that shows one of the compared sides alone, by token; null for what no figure shows
 * alone.
 */
export function partState(
  part: PairPart,
  { state, target }: ExportSubject,
  { paired }: ComparedSubject,
): State | null {
  if (part !== "first" && part !== "second") return null;
  const { unit, specials, sink } = DEFAULT_STATE;
  const shown = { picture: comparedPicture(state), picked: null, compare: null, otherHead: null };
  const alone: State = { ...state, ...shown, unit, specials, sink };
  if (part === "first") return alone;
  const original = state.compare === "original";
  const text = original ? state.text : otherTextOf(state);
  const same = text === state.text;
  const model = (original ? null : state.otherModel) ?? state.model;
  return {
    ...alone,
    ...paired.other.head,
    model,
    text,
    // The unedited run has read the text that was generated under the edits.
    target: original ? target : otherTargetOf(state),
    masked: same && model === state.model ? state.masked : [],
    edits: otherEditsOf(state),
    locked: null,
  };
}

function caption(
  subject: ExportSubject,
  portion: Portion,
  details: readonly string[] = [],
): Pick<Snapshot, "lines" | "provenance"> {
  const provenance = provenanceOf({ ...subject, compared: null }, portion);
  return { lines: [...details, ...runLines(subject)], provenance };
}

const stackTitle = (stack: string, which: "grid" | "cosines"): string =>
  message("export.titleStack", { stack, what: message(`export.other.${which}`) });

async function gridPicture(subject: ExportSubject): Promise<Snapshot> {
  const { run, info, head, state } = subject;
  const { stack } = head;
  const asked = askedThumbnails(state, head, info);
  const { roleFilter: filter, headSort: sort, colours } = state;
  const [thumbnails, measures, divergences] = await Promise.all([
    "stage" in asked
      ? run.thumbnails({ ...asked, size: THUMBNAIL_SIZE })
      : readEffects(run, asked, info.stacks),
    run.measures({ stack }),
    sort === "divergence" ? run.headDivergences(head) : null,
  ]);
  const numbers = "stage" in asked ? asked.stage : asked.of;
  const [layers = 0, heads = 0] = thumbnails.shape;
  const here: KnownRoles = { basis: "here", scores: rolesByHead(measures) };
  // Those on the present text are measured with the picture's other numbers.
  const knownRoles = subject.knownRoles?.basis === "here" ? here : (subject.knownRoles ?? here);
  const { basis, texts } = knownRoles;
  const order = rankHeads({ layers, heads }, filter, sort, { knownRoles, measures, divergences });
  const role = filter && message(filter === "none" ? "roles.none" : `role.${filter}`);
  const details = [
    role && `${message("order.filter")}: ${role}`,
    order && noteWords(filter, sort, basis),
    texts && message("studies.on", { name: texts.name, count: texts.count }),
  ];
  const roles = order && roleInQuestion(filter, sort) ? null : assignedRoles(knownRoles);
  const ablated = ablatedHeads(state, stack, info);
  const shown = { thumbnails, order, roles, basis, ablated, selected: head, colours, numbers };
  return {
    scene: (inks) => printGrid(shown, inks),
    title: stackTitle(message(`stack.${stack}`), "grid"),
    ...caption(
      subject,
      { quantity: "all-heads", stack },
      details.flatMap((line) => (line ? [line] : [])),
    ),
  };
}

async function spectrumPicture(subject: ExportSubject): Promise<Snapshot> {
  const { run, head, state, info } = subject;
  const lists = namedSpectra(await run.spectrum(head), unusualStages(state.edits, head, info));
  const hint = message("spectrum.hint", { share: formatPercent(HELD, 0) });
  return {
    scene: sideBySide(
      lists.map(({ heading, ...list }) => [heading, (inks) => printSpectrum(list, inks)]),
    ),
    title: headTitle(head, message("export.other.spectrum")),
    ...caption(subject, { quantity: "singular-values", ...head }, [hint]),
  };
}

function tokensPicture(subject: ExportSubject): Snapshot {
  const { run, info } = subject;
  const texts = [
    { name: message("text.sourceTokens"), tokens: run.tokens },
    { name: message("text.targetTokens"), tokens: run.targetTokens },
  ].slice(0, info.architecture === "encoder-decoder" ? 2 : 1);
  return {
    scene: (inks) => printTokens(texts, inks),
    title: message("embed.tokens"),
    ...caption(subject, { quantity: "tokens" }),
  };
}

function strongestPicture(subject: ExportSubject, query: number): Snapshot {
  const { displayed, head, info } = subject;
  const nameAt = info.image ? patchNameAt : labelAt;
  const bars = topKeys(displayed, query, nameAt);
  const quantity = `strongest-keys-${query + 1}`;
  const words = message("export.strongest", { query: nameAt(displayed.queries, query) });
  return {
    scene: (inks) => printBars(bars, topKeysTitle(displayed), 1, inks),
    title: headTitle(head, words),
    ...caption(subject, { quantity, ...head, view: viewOf(displayed) }, lensSummary(displayed)),
  };
}

async function cosinesPicture(
  subject: ExportSubject,
  compared: ComparedSubject,
): Promise<Snapshot> {
  const locale = currentLocale();
  const words = compared.shownWords;
  const read = await readCosines(subject.run, compared.paired.other.run, words);
  const stacks = [...new Set(words.map(({ stack }) => stack))];
  const places = words.map(({ one }) => (one.positions[0] ?? 0) + 1);
  // Words of encoder and decoder belong to no single stack, and none to one layer or head.
  const place = { ...NO_HEAD, stack: stacks.length === 1 ? (stacks[0] ?? null) : null };
  return locale.within(() => ({
    scene: sideBySide(
      read.map((one) => [
        cosinesTitle(one.pair),
        (inks) => printBars(cosineBars(one), "", LARGEST_COSINE, inks),
      ]),
    ),
    title: stackTitle(stacks.map((name) => message(`stack.${name}`)).join(" · "), "cosines"),
    lines: [message("pairs.cosineHint"), ...pairLines(subject, compared, false, false)],
    provenance: provenanceOf(subject, {
      quantity: `cosines-${places.join("-")}`,
      ...place,
      compared: { ...compared.reading, ...place },
    }),
  }));
}
