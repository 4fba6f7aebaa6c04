/**
 * What figures in pages of others show of a subject by its numbers alone: for a model that only its
 * user has, whose embed codes carry the numbers.
 */
import type { Tensor } from "../data/index.js";
import type { SavedFigure } from "../export/figure-file.js";
import { loadSentences, message } from "../i18n/index.js";
import { headLabel, isSigned, mapCell } from "../session/alignment.js";
import { placeIn, THUMBNAIL_SIZE } from "../session/run/head.js";
import { namedSpectra } from "../session/run/head-words.js";
import { PAIR_PICTURES, pairPictureOf } from "../session/run/pair-pictures.js";
import { ablatedHeads } from "../session/run/selection.js";
import type { ComparedSubject, ExportSubject } from "../session/subject.js";
import { unusualStages } from "../state/index.js";
import { modelLabel } from "../session/models/models.js";

/** The kinds of figures that a subject has numbers for. */
export type NumbersKind = "picture" | "grid" | "spectrum" | "tokens" | "both-tokens";

/** The figures of a kind with their numbers; none where they are not of one figure. */
export async function figuresOf(kind: NumbersKind, subject: ExportSubject): Promise<SavedFigure[]> {
  const { run, info, head, state } = subject;
  const about = [modelLabel(state.model), headLabel(head)].join(" · ");
  switch (kind) {
    case "picture":
      return pictureOf(subject, about);
    case "grid": {
      const thumbnails = await run.thumbnails({ stack: head.stack, size: THUMBNAIL_SIZE });
      const { stack, layer } = head;
      const properties = {
        thumbnails,
        stack,
        selected: { layer, head: head.head },
        ablated: ablatedHeads(state, stack, info),
        colours: state.colours,
      };
      const ofStack = [modelLabel(state.model), message(`stack.${stack}`)].join(" · ");
      return [{ figure: "grid", about: ofStack, properties }];
    }
    case "spectrum": {
      const [spectrum] = await Promise.all([run.spectrum(head), loadSentences("pictures")]);
      const lists = namedSpectra(spectrum, unusualStages(state.edits, head, info));
      return [{ figure: "spectrum", about, properties: { lists } }];
    }
    default: {
      const texts = [
        { tokens: run.tokens, label: message("text.sourceTokens") },
        { tokens: run.targetTokens, label: message("text.targetTokens") },
      ];
      return texts
        .slice(0, kind === "both-tokens" ? 2 : 1)
        .map((properties) => ({ figure: "tokens", about: modelLabel(state.model), properties }));
    }
  }
}

async function pictureOf(subject: ExportSubject, about: string): Promise<SavedFigure[]> {
  const { run, info, head, state, displayed, compared } = subject;
  if (compared) return differenceOf(subject, compared, about);
  const { picture } = state;
  if (picture === "positions") {
    const stack = head.stack === "encoder" ? "encoder" : "decoder";
    const tensor: Tensor = await run.positions({ stack });
    return [{ figure: picture, about, properties: { tensor } }];
  }
  // An image of pixels, and pictures of many tensors, are not written into a page.
  if (!pairPictureOf(picture) || picture === "image" || !(picture in PAIR_PICTURES)) return [];
  const unusual = unusualStages(state.edits, head, info);
  const around = { state, headCount: 0, info, image: null, unusual };
  const shown = PAIR_PICTURES[picture as keyof typeof PAIR_PICTURES];
  const properties = {
    ...shown.properties(displayed, around),
    locked: placeIn(displayed, state.locked),
    ...(shown.isOfOneQuery && {
      focused: placeIn(displayed, state.locked) ?? { query: 0, key: 0 },
    }),
  };
  return [{ figure: picture, about, properties }];
}

function differenceOf(
  { state }: ExportSubject,
  { paired }: ComparedSubject,
  about: string,
): SavedFigure[] {
  const { shared, other } = paired;
  if (!shared) return [];
  const { queries, keys, tensor, range } = shared;
  const properties = {
    tensor,
    range,
    queries: queries.tokens,
    keys: keys.tokens,
    signed: isSigned(shared),
    locked: mapCell(state.locked, queries.ofOne, keys.ofOne),
  };
  return [{ figure: "difference", about: `${about} − ${headLabel(other.head)}`, properties }];
}
