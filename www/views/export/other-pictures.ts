// Pictures that stand beside the head's own: of all heads, of its singular values, of the text, of where a query looks most, and of how alike two words are.
import type { HeadRef } from "../../data/index.js";
import { printBars } from "../../draw/bars.js";
import type { Print, Inks } from "../../draw/theme.js";
import { printGrid, printSpectrum, printTokens } from "../../elements/exports.js";
import { measurer } from "../../elements/matrix/canvas.js";
import { labelAt } from "../../elements/shared/templates.js";
import { HELD } from "../../elements/spectrum.js";
import type { Provenance } from "../../export/exhibit.js";
import { rowOf } from "../../export/row.js";
import type { Run } from "../../headscope.js";
import { formatPercent, message } from "../../i18n/index.js";
import { wornRoles } from "../explorer/head-roles.js";
import { cosineBars, cosinesTitle, LARGEST_COSINE } from "../pairs/alignment.js";
import { readCosines } from "../pairs/alignment.js";
import { noteWords } from "../parts/head-order.js";
import { lensSummary, topKeys, topKeysTitle } from "../parts/lens-words.js";
import { THUMBNAIL_SIZE } from "../run/figures.js";
import { rankHeads, roleInQuestion } from "../run/head-order.js";
import { placeIn } from "../run/looked-cells.js";
import { silencedHeads } from "../run/selection.js";
import { namedSpectra } from "../run/readings.js";
import { unusualStages, type State } from "../../state/index.js";
import {
  inksOf,
  runLines,
  sheetFile,
  type NamedFile,
  type Paper,
  type PictureFormat,
  type Unsaved,
} from "./files.js";
import { pairLines } from "./pair-words.js";
import { provenanceOf, viewOf, type ExportSubject } from "./subject.js";

export const OTHER_PICTURES = ["grid", "spectrum", "tokens", "strongest", "cosines"] as const;
export type OtherPicture = (typeof OTHER_PICTURES)[number];

/** A picture with what it is called, and what else decides it. */
interface Drawn {
  print: (inks: Inks) => Print | null;
  title: string;
  details?: readonly string[];
  /** Whether it is of both runs; else it is of the first alone. */
  ofBoth?: boolean;
  taken: Pick<Provenance, "quantity"> & Partial<HeadRef> & Partial<Pick<Provenance, "view">>;
}

/** What the page is about, and the inks that it is painted with. */
export interface OtherMoment {
  subject: ExportSubject;
  inks: Inks;
}

/** Those that there are now: where nothing is held there is no query to speak of, and a word is like another one only beside a second run. */
export function otherPictures(subject: ExportSubject): OtherPicture[] {
  const there: Partial<Record<OtherPicture, boolean>> = {
    strongest: heldQuery(subject) !== null,
    cosines: (subject.compared?.shownWords ?? []).length > 0,
  };
  return OTHER_PICTURES.filter((which) => there[which] ?? true);
}

/** One of them as a file. Its numbers are read of the run, and may be those of another text by then, which nobody asked for. */
export async function otherFile(
  format: PictureFormat,
  which: OtherPicture,
  paper: Paper,
  now: () => OtherMoment | null,
): Promise<NamedFile | Unsaved> {
  const asked = now();
  if (!asked) return "gone";
  const { print, title, details = [], ofBoth = false, taken } = await READ[which](asked.subject);
  const same = (one: OtherMoment, other: OtherMoment): boolean =>
    isSame(one.subject, other.subject);
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
      const lines =
        ofBoth && subject.compared
          ? pairLines(subject, subject.compared, false)
          : runLines(subject);
      return (
        picture && {
          picture,
          title,
          lines: [...details, ...lines],
          provenance: ofBoth
            ? pairProvenance(subject, taken)
            : provenanceOf({ ...subject, compared: null }, taken),
          inks,
        }
      );
    },
  });
}

/** What of the State decides them, beside the run, the head and how it is looked at. */
const PICTURED = [
  "roleFilter",
  "headSort",
  "colours",
  "locked",
  "aligned",
  "pairs",
] as const satisfies readonly (keyof State)[];

function isSame(one: ExportSubject, other: ExportSubject): boolean {
  return (
    one.run === other.run &&
    one.looked === other.looked &&
    secondOf(one) === secondOf(other) &&
    PICTURED.every((key) => one.state[key] === other.state[key])
  );
}

const READ: Readonly<Record<OtherPicture, (subject: ExportSubject) => Promise<Drawn>>> = {
  grid: async ({ run, info, notes, head, state }) => {
    const { stack } = head;
    const { roleFilter: filter, headSort: sort, colours } = state;
    const heldOut = notes?.roles[stack] ?? null;
    const [thumbnails, measures, likeness] = await Promise.all([
      run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
      run.measures({ stack }),
      sort === "likeness" ? run.likeness(head) : null,
    ]);
    const [layers = 0, heads = 0] = thumbnails.shape;
    const order = rankHeads({ layers, heads }, filter, sort, { heldOut, measures, likeness });
    const wanted = heldOut ? filter : null;
    const shown =
      wanted === null
        ? []
        : [
            `${message("order.filter")}: ${message(wanted === "none" ? "roles.none" : `role.${wanted}`)}`,
          ];
    const below = order ? noteWords(wanted, sort, heldOut !== null) : "";
    const worn = order && roleInQuestion(wanted, sort) ? null : wornRoles(notes, stack);
    return {
      print: (inks) =>
        printGrid(
          {
            thumbnails,
            order,
            worn,
            silenced: silencedHeads(state, stack, info),
            selected: head,
            colours,
          },
          inks,
        ),
      title: message("export.titleStack", {
        stack: message(`stack.${stack}`),
        what: message("export.other.grid"),
      }),
      details: [...shown, ...(below === "" ? [] : [below])],
      taken: { quantity: "all-heads", stack },
    };
  },
  spectrum: async ({ run, head, state }) => {
    const lists = namedSpectra(await run.spectrum(head), unusualStages(state.edits, head));
    return {
      print: (inks) => {
        const parts = lists.flatMap(({ heading: name, ...list }) => {
          const print = printSpectrum(list, inks);
          return print ? [{ name, print }] : [];
        });
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
    return Promise.resolve({
      print: (inks) => printTokens(texts, inks),
      title: message("embed.tokens"),
      taken: { quantity: "tokens" },
    });
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
  cosines: async ({ run, compared }) => {
    const words = compared?.shownWords ?? [];
    const read = compared ? await readCosines(run, compared.paired.other.run, words) : [];
    const stacks = [...new Set(words.map(({ stack }) => stack))];
    const places = words.map(({ one }) => (one.positions[0] ?? 0) + 1);
    const [stack] = stacks;
    return {
      print: (inks) => {
        const parts = read.map((one) => ({
          name: cosinesTitle(one.pair),
          print: printBars(cosineBars(one), "", LARGEST_COSINE, inks, measurer),
        }));
        return parts.length === 0 ? null : rowOf(parts, inks, measurer);
      },
      title: message("export.titleStack", {
        stack: stacks.map((name) => message(`stack.${name}`)).join(" · "),
        what: message("export.other.cosines"),
      }),
      details: [message("pairs.cosineHint")],
      ofBoth: true,
      // Words of the encoder and of the decoder are of no one stack.
      taken: {
        quantity: `cosines-${places.join("-")}`,
        ...(stack && stacks.length === 1 ? { stack } : {}),
      },
    };
  },
};

/** The second run, of two. */
function secondOf({ compared }: ExportSubject): Run | null {
  return compared?.paired.other.run ?? null;
}

/** Where cosines come from: of both runs what they are read of, which is no one layer and no head. */
function pairProvenance(subject: ExportSubject, taken: Drawn["taken"]): Provenance {
  const { compared, ...known } = provenanceOf(subject, taken);
  return {
    ...known,
    compared: compared && { ...compared, stack: known.stack, layer: null, head: null },
  };
}

/** The row of the pair that is held; null where none is, or where the picture does not show it. */
function heldQuery({ state, looked }: ExportSubject): number | null {
  return placeIn(looked, state.locked)?.query ?? null;
}

function titleOf({ stack, layer, head }: HeadRef, what: string): string {
  return message("export.title", {
    stack: message(`stack.${stack}`),
    layer: layer + 1,
    head: head + 1,
    what,
  });
}
