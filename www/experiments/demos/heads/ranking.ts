import { css, html } from "lit";
import { blockStackOf } from "../../../data/index.js";
import type { BlockStack, Cell, HeadRef, ModelInfo } from "../../../data/index.js";
import type { Stack, Token } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { formatSigned } from "../../../draw/number-words.js";
import type { Run } from "../../../headscope.js";
import { message } from "../../../i18n/index.js";
import { headsOf, nameOfHead, sentEdits } from "../../../state/index.js";
import { withSetting } from "../../../state/experiment-edits.js";
import { stacksOf, tokensOf } from "../../../session/run/selection.js";
import { originalInput } from "../../../session/run/original-input.js";
import { demo, headList, matrix, tokenOptions, type OnPage } from "../demo.js";
import { placeNames, tensorOf } from "../../../kit/figure-data.js";
import { number, PLACES } from "../../../kit/fields.js";
import { lossesAt, withRun } from "../../../kit/study.js";

/*
 * The importance of a head for one token: the same run again with the head ablated. Of a token that
 * the model predicts it is `ln p(without) − ln p(with)`; of a token that it only reads, how far its
 * last hidden state moves, `‖h(without) − h(with)‖`.
 */

/**
 * A token for which heads can be important: `id` is the predicted entry, null if the token is only
 * read.
 */
interface AskedWord {
  token: Token;
  position: number;
  id: number | null;
  stack: BlockStack;
  layer: number;
}

/**
 * The demo of head importance: all heads by their importance for a chosen token, by a run without
 * each of them.
 */
export const ranking = demo("effect", {
  fields: { word: number(0, "ranking.choose", { ...PLACES, list: true }) },
  // A text that is still being generated has no last token yet.
  fit: ({ model, run, growing }) =>
    model && run && !growing
      ? { word: { options: tokenOptions(askable(run, model.info).map(({ token }) => token)) } }
      : null,
  reads: ({ model, run, revision, edits, image = null }, { word }) => {
    if (!model || !run || !edits) return null;
    const last = askable(run, model.info).length - 1;
    return last < 0
      ? message("ranking.noWord")
      : { model, run, revision, edits, image, word: Math.min(word, last) };
  },
  failed: "ranking.failed",
  work: {
    words: "ranking",
    names: (_, { model }) => headsToMeasure(model.info).map(nameOf),
  },
  ask: async (_, { step, show, signal }, { model, run, edits, image, word }) => {
    const asked = askable(run, model.info)[word];
    if (!asked) throw new Error(message("ranking.noWord"));
    const { position, id, stack, layer } = asked;
    const logShare = async (of: Run): Promise<number> =>
      id === null ? 0 : -((await lossesAt(of, [{ position, id }]))[0] ?? NaN);
    const before = await step("before", () => logShare(run));
    const effectIn = async (without: Run): Promise<number> => {
      if (id !== null) return (await logShare(without)) - before;
      const { data, shape } = await without.distances({ stack, other: run });
      return data[layer * (shape[1] ?? 0) + position] ?? NaN;
    };
    const effects: { head: HeadRef; value: number }[] = [];
    for (const head of headsToMeasure(model.info)) {
      const ablated = sentEdits(withSetting(edits, [head], "gate", 0, model.info.stacks));
      const input = { ...originalInput(model, run, image), edits: ablated, lenient: true };
      const value = await step(nameOf(head), () => withRun(model, input, effectIn, { signal }));
      effects.push({ head, value });
      show({ asked, effects: [...effects] }, effects.length);
    }
    return { asked, effects };
  },
  summary: ({ asked }) =>
    html`<p class="small muted note">
      ${message(asked.id !== null ? "ranking.shareHint" : "ranking.stateHint")}
    </p>`,
  brief: ({ asked, effects }, _, { model }) => {
    if (effects.length < headsToMeasure(model.info).length) return [];
    const ranked = effects.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
    return ranked.slice(0, 3).map(({ head, value }) => ({
      label: nameOf(head),
      value: asked.id === null ? formatValue(value) : formatSigned(value),
    }));
  },
  views: ({ asked: { id, token, position }, effects }, _, { model: { info } }, { update }) => {
    const signed = id !== null;
    // Strongest first, whatever the sign.
    const ranked = effects.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
    const most = Math.abs(ranked[0]?.value ?? 0);
    const values = message(signed ? "ranking.share" : "ranking.moved");
    // The layers of all stacks one below the other; NaN where there is no head, or no measurement
    // yet.
    const stacks = stacksOf(info);
    const layers = stacks.flatMap((stack) =>
      Array.from({ length: info.stacks[stack]?.layers ?? 0 }, (_, layer) => ({ stack, layer })),
    );
    const measured = new Map(effects.map(({ head, value }) => [nameOfHead(head), value]));
    const heads = Math.max(...stacks.map((stack) => info.stacks[stack]?.heads ?? 0));
    const numbers = layers.flatMap(({ stack, layer }) =>
      Array.from(
        { length: heads },
        (_, head) => measured.get(nameOfHead({ stack, layer, head })) ?? NaN,
      ),
    );
    const names = layers.map(({ stack, layer }) => {
      return message("ranking.row", { stack: message(`stack.${stack}`), layer: layer + 1 });
    });
    const map = matrix({
      tensor: tensorOf(numbers, heads, ["layer", "head"]),
      values,
      signed,
      height: 220,
      rows: { title: message("ranking.layer"), names },
      columns: { title: message("ranking.head"), names: placeNames(heads) },
    });
    const open = (event: CustomEvent<Cell | null>): void => {
      event.stopPropagation();
      const { query = -1, key = -1 } = event.detail ?? {};
      const row = layers[query];
      if (row && key < (info.stacks[row.stack]?.heads ?? 0)) update({ ...row, head: key });
    };
    const list = ranked.slice(0, 12).map(({ head, value }) => ({
      head,
      name: nameOf(head),
      value: signed ? formatSigned(value) : formatValue(value),
      raw: value,
      share: most > 0 ? value / most : 0,
    }));
    const columns = (["stack", "layer", "head"] as const).map((one) => message(`ranking.${one}`));
    return [
      {
        heading: message("ranking.list"),
        name: `heads-by-effect ${position + 1} ${token.text}`,
        lines: [`${message(signed ? "ranking.word" : "ranking.state")}: ${token.text}`],
        of: {},
        csv: {
          columns: [...columns, values],
          rows: ranked.map(({ head: { stack, layer, head }, value }) => {
            return [message(`stack.${stack}`), layer + 1, head + 1, value];
          }),
        },
        figure: html`<div class="results columns" @headscope-cell-lock=${open}>
          ${headList(message("ranking.list"), list, update)} ${map}
        </div>`,
      },
    ];
  },
  styles: css`
    .results {
      --_least: 360px;
    }
  `,
});

/** The tokens of a run that can be chosen: the predicted ones, and in an encoder all. */
export function askable(run: Pick<Run, "tokens" | "targetTokens">, info: ModelInfo): AskedWord[] {
  const isEncoder = info.architecture === "encoder";
  const stack = isEncoder ? "encoder" : "decoder";
  const place = { stack, layer: info.stacks[stack]?.layers ?? 0 } as const;
  // A token is predicted at the position before it.
  if (!isEncoder && info.predicts) {
    const predicted = run.targetTokens.slice(1);
    return predicted.map((token, position) => ({ token, position, id: token.id, ...place }));
  }
  return (isEncoder ? run.tokens : run.targetTokens).map((token, position) => {
    const { maskedId, maskedText: text = token.text } = token;
    return isEncoder && info.predicts && maskedId !== undefined
      ? { token: { ...token, text, role: null }, position, id: maskedId, ...place }
      : { token, position, id: null, ...place };
  });
}

/**
 * The index of the locked pair's query among the tokens that can be chosen; negative if it is not
 * one.
 */
export function lockedWord({ run, model, head }: OnPage, locked: Cell | null): number {
  if (!run || !model || !head || !locked) return -1;
  const asked = askable(run, model.info);
  const { queries } = tokensOf(run, head.stack);
  // The first token of a text is not predicted.
  return asked[0]?.stack === blockStackOf(head) ? locked.query - queries.length + asked.length : -1;
}

/**
 * All heads of a model, the last layers first, so that cached earlier layers are reused from run to
 * run.
 */
export function headsToMeasure(info: ModelInfo): HeadRef[] {
  const rank: Record<Stack, number> = { cross: 0, decoder: 0, encoder: 1 };
  return stacksOf(info)
    .flatMap((stack) => headsOf({ stack }, info.stacks))
    .sort((one, other) => rank[one.stack] - rank[other.stack] || other.layer - one.layer);
}

function nameOf({ stack, layer, head }: HeadRef): string {
  const place = { layer: layer + 1, head: head + 1 };
  return message("edits.head", { stack: message(`stack.${stack}`), ...place });
}
