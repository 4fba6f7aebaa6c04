// Pictures that stand beside the head's own: of all heads, of its singular values, of the text, and of where a query looks most.
import type { HeadRef } from "../../data/index.js";
import { printBars } from "../../draw/bars.js";
import type { Print } from "../../draw/print.js";
import type { Inks } from "../../draw/theme.js";
import { printGrid } from "../../elements/grid/print.js";
import { measurer } from "../../elements/matrix/canvas.js";
import { labelAt } from "../../elements/shared/token-label.js";
import { HELD } from "../../elements/spectrum/index.js";
import { printSpectrum } from "../../elements/spectrum/print.js";
import { printTokens } from "../../elements/tokens/print.js";
import type { Provenance } from "../../export/exhibit.js";
import { rowOf } from "../../export/row.js";
import { formatPercent, message } from "../../i18n/index.js";
import { wornRoles } from "../explorer/head-roles.js";
import { noteWords } from "../parts/head-order.js";
import { lensSummary } from "../parts/lens-words.js";
import { topKeys, topKeysTitle } from "../parts/top-keys.js";
import { THUMBNAIL_SIZE } from "../run/figures.js";
import { rankHeads, roleInQuestion } from "../run/head-order.js";
import { placeIn } from "../run/looked-cells.js";
import { silencedHeads } from "../run/selection.js";
import type { State } from "../../state/index.js";
import { inksOf, runLines, sheetFile, type NamedFile, type Paper, type PictureFormat, type Unsaved } from "./files.js";
import { provenanceOf, viewOf, type ExportSubject } from "./subject.js";

export const OTHER_PICTURES = ["grid", "spectrum", "tokens", "strongest"] as const;
export type OtherPicture = (typeof OTHER_PICTURES)[number];

/** A picture with what it is called, and what else decides it. */
interface Drawn {
  print: (inks: Inks) => Print | null;
  title: string;
  details?: readonly string[];
  taken: Pick<Provenance, "quantity"> & Partial<HeadRef> & Partial<Pick<Provenance, "view">>;
}

/** What the page is about, and the inks that it is painted with. */
export interface OtherMoment {
  subject: ExportSubject;
  inks: Inks;
}

/** Those that there are now: where nothing is held there is no query to speak of. */
export function otherPictures(subject: ExportSubject): OtherPicture[] {
  return OTHER_PICTURES.filter((which) => which !== "strongest" || heldQuery(subject) !== null);
}

/** One of them as a file. Its numbers are read of the run, and may be those of another text by then, which nobody asked for. */
export async function otherFile(format: PictureFormat, which: OtherPicture, paper: Paper, now: () => OtherMoment | null): Promise<NamedFile | Unsaved> {
  const asked = now();
  if (!asked) return "gone";
  const { print, title, details = [], taken } = await READ[which](asked.subject);
  const same = (one: OtherMoment, other: OtherMoment): boolean => isSame(one.subject, other.subject);
  const still = (): OtherMoment | null => {
    const moment = now();
    return moment && same(asked, moment) ? moment : null;
  };
  return sheetFile(format, {
    now: still,
    same,
    sheet: ({ subject, inks: onPage }) => {
      const inks = inksOf(paper, onPage);
      const picture = print(inks);
      // It is of the first of two runs alone.
      const alone = { ...subject, compared: null };
      return picture && { picture, title, lines: [...details, ...runLines(alone)], provenance: provenanceOf(alone, taken), inks };
    },
  });
}

/** What of the State decides them, beside the run, the head and how it is looked at. */
const PICTURED = ["roleFilter", "headSort", "colours", "locked"] as const satisfies readonly (keyof State)[];

function isSame(one: ExportSubject, other: ExportSubject): boolean {
  return one.run === other.run && one.looked === other.looked && PICTURED.every((key) => one.state[key] === other.state[key]);
}

const READ: Readonly<Record<OtherPicture, (subject: ExportSubject) => Promise<Drawn>>> = {
  grid: async ({ run, info, notes, head, state }) => {
    const { stack } = head;
    const { roleFilter: filter, headSort: sort, colours } = state;
    const heldOut = notes?.roles[stack] ?? null;
    const [thumbnails, measures, likeness] = await Promise.all([run.thumbnails({ stack, size: THUMBNAIL_SIZE }), run.measures({ stack }), sort === "likeness" ? run.likeness(head) : null]);
    const [layers = 0, heads = 0] = thumbnails.shape;
    const order = rankHeads({ layers, heads }, filter, sort, { heldOut, measures, likeness });
    const wanted = heldOut ? filter : null;
    const shown = wanted === null ? [] : [`${message("order.filter")}: ${message(wanted === "none" ? "roles.none" : `role.${wanted}`)}`];
    const below = order ? noteWords(wanted, sort, heldOut !== null) : "";
    const worn = order && roleInQuestion(wanted, sort) ? null : wornRoles(notes, stack);
    return {
      print: (inks) => printGrid({ thumbnails, order, worn, silenced: silencedHeads(state, stack, info), selected: head, colours }, inks),
      title: message("export.titleStack", { stack: message(`stack.${stack}`), what: message("export.other.grid") }),
      details: [...shown, ...(below === "" ? [] : [below])],
      taken: { quantity: "all-heads", stack },
    };
  },
  spectrum: async ({ run, head }) => {
    const { scores, weights } = await run.spectrum(head);
    return {
      print: (inks) => {
        const parts = [
          { name: message("spectrum.scores"), print: printSpectrum({ values: scores.values, rank: scores.rank90 }, inks) },
          { name: message("spectrum.weights"), print: printSpectrum({ values: weights.values, rank: weights.rank90 }, inks) },
        ].flatMap(({ name, print }) => (print ? [{ name, print }] : []));
        return parts.length === 0 ? null : rowOf(parts, inks, measurer);
      },
      title: titleOf(head, message("export.other.spectrum")),
      details: [message("spectrum.hint", { share: formatPercent(HELD, 0) })],
      taken: { quantity: "singular-values", ...head },
    };
  },
  tokens: ({ run, info }) => {
    const translates = info.architecture === "encoder-decoder";
    const texts = [
      { name: message("text.sourceTokens"), tokens: run.tokens },
      ...(translates ? [{ name: message("text.targetTokens"), tokens: run.targetTokens }] : []),
    ];
    return Promise.resolve({ print: (inks) => printTokens(texts, inks), title: message("embed.tokens"), taken: { quantity: "tokens" } });
  },
  strongest: (subject) => {
    const { looked, head } = subject;
    const query = heldQuery(subject) ?? 0;
    const bars = topKeys(looked, query);
    return Promise.resolve({
      print: (inks) => printBars(bars, topKeysTitle(looked), 1, inks, measurer),
      title: titleOf(head, message("export.strongest", { query: labelAt(looked.queries, query) })),
      details: lensSummary(looked),
      taken: { quantity: `strongest-keys-${query + 1}`, ...head, view: viewOf(looked) },
    });
  },
};

/** The row of the pair that is held; null where none is, or where the picture does not show it. */
function heldQuery({ state, looked }: ExportSubject): number | null {
  return placeIn(looked, state.locked)?.query ?? null;
}

function titleOf({ stack, layer, head }: HeadRef, what: string): string {
  return message("export.title", { stack: message(`stack.${stack}`), layer: layer + 1, head: head + 1, what });
}
