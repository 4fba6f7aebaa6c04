import { html } from "lit";
import {
  blockStackOf,
  type IntegratedGradients,
  type ModelInfo,
  rowOf,
  type Tensor,
} from "../../../data/index.js";
import "../../../elements/attribution.js";
import { formatSigned } from "../../../draw/number-words.js";
import { tokenLabels } from "../../../elements/shared/templates.js";
import type { Model, Run } from "../../../headscope.js";
import { formatFixed, message } from "../../../i18n/index.js";
import { named, number } from "../../../kit/fields.js";
import { withRun } from "../../../kit/study.js";
import { originalInput } from "../../../session/run/original-input.js";
import {
  type ChosenTarget,
  gradientTarget,
  type NamedTarget,
} from "../../../session/run/gradient-target.js";
import { tokensOf } from "../../../session/run/selection.js";
import { sentEdits, type EditLists } from "../../../state/index.js";
import { absentOfImages, curveOf, curves, demo, type OnPage } from "../demo.js";

/*
 * What follows from the gradients of a prediction on the page: integrated gradients of its tokens
 * (Sundararajan et al. 2017), and the length of the gradient at each depth, with and without
 * residuals and norms. Beside them the softmax's Jacobian of each row of a head,
 *
 *   J = diag(p) − p pᵀ      ‖J‖² = Σ p² − 2 Σ p³ + (Σ p²)²
 *
 * which is near 0 where a row is almost one token's: without the division by √d, rows are, and no
 * gradient passes through them (Vaswani et al. 2017, section 3.2.1).
 */

const BASELINES = ["mask", "padding", "zeros"] as const;
type Baseline = (typeof BASELINES)[number];

/** The entry of the vocabulary that is a baseline; null for zeros, or if there is none. */
function entryOf({ maskToken, padToken }: ModelInfo, baseline: Baseline): number | null {
  return { mask: maskToken, padding: padToken, zeros: null }[baseline] ?? null;
}

function baselinesOf(info: ModelInfo): Baseline[] {
  return BASELINES.filter((one) => one === "zeros" || entryOf(info, one) !== null);
}

interface Read extends ChosenTarget {
  model: Model;
  run: Run;
  revision: number;
}

function readOf(on: OnPage): Read | null {
  const { model, run, revision, head, entry = null, locked = null, depth = null } = on;
  if (!model || !run || revision === undefined || !head) return null;
  const isEntry = entry !== null && entry < model.info.vocabSize;
  const chosen = { stack: head.stack, entry: isEntry ? entry : null, locked, depth };
  return { model, run, revision, ends: model.info, ...chosen };
}

function absent(on: OnPage): string | null {
  if (on.model && !on.model.info.predicts) return message("inspect.nextNone");
  return absentOfImages(on);
}

interface Integrated extends IntegratedGradients {
  baselineName: Baseline;
  names: string[];
  of: NamedTarget["names"];
}

/** Integrated gradients of the tokens, with the sum of all beside what it comes near to. */
export const integrated = demo("integrated", {
  fields: {
    baseline: named("integrated.baseline", "integrated.baseline", BASELINES, "mask", {
      list: true,
    }),
    points: number(32, "integrated.points", { least: 1, most: 1000 }),
    stack: named("stack", "patching.stack", ["encoder", "decoder"], "encoder", { list: true }),
  },
  title: "integrated.title",
  paper: "integrated.paper",
  absent,
  waits: true,
  reads: (on) => readOf(on),
  fit: ({ model }) => {
    if (!model) return null;
    const { info } = model;
    const options = baselinesOf(info).map((value) => {
      return { value, label: message(`integrated.baseline.${value}`) };
    });
    return {
      baseline: { options },
      stack: { hidden: info.architecture !== "encoder-decoder" },
    };
  },
  ask: async (values, _, read: Read): Promise<Integrated> => {
    const { model, run } = read;
    const { info } = model;
    const { target, names: of } = await gradientTarget(run, read);
    const [first = "zeros"] = baselinesOf(info);
    const isThere = baselinesOf(info).includes(values.baseline);
    const baselineName = isThere ? values.baseline : first;
    const baseline = entryOf(info, baselineName);
    const only = info.architecture === "encoder" ? "encoder" : "decoder";
    const stack = info.architecture === "encoder-decoder" ? values.stack : only;
    const found = await run.integratedGradients({
      target,
      stack,
      steps: values.points,
      ...(baseline !== null && { baseline }),
    });
    const names = tokenLabels(tokensOf(run, stack).queries);
    return { ...found, baselineName, names, of };
  },
  views: ({ tokens, target, baseline, baselineName, names, of }, { points }) => {
    const items = tokens.map((value, at) => {
      return { label: names[at] ?? "", value, text: formatSigned(value) };
    });
    const sum = tokens.reduce((all, one) => all + one, 0);
    const heading = message("integrated.heading", of);
    const most = Math.max(...tokens.map((value) => Math.abs(value)), Number.MIN_VALUE);
    const whole = { sum: formatFixed(sum, 3), difference: formatFixed(target - baseline, 3) };
    const ends = { target: formatFixed(target, 3), baseline: formatFixed(baseline, 3) };
    return [
      {
        heading,
        name: `integrated-gradients ${baselineName} ${points}`,
        lines: [message("integrated.sum", { ...whole, ...ends })],
        of: {},
        csv: {
          columns: [message("figure.position"), message("moved.token"), heading],
          rows: [
            ...tokens.map((value, at) => [at + 1, names[at] ?? "", value]),
            ["", message("integrated.all"), sum],
            ["", message("integrated.difference"), target - baseline],
          ],
        },
        figure: html`<headscope-attribution
          .heading=${heading}
          .items=${items}
          .max=${most}
        ></headscope-attribution>`,
        foot: html`<p class="small muted" data-sum=${sum} data-difference=${target - baseline}>
          ${message("integrated.sum", { ...whole, ...ends })} ${message("integrated.hint")}
        </p>`,
      },
    ];
  },
});

/** The wirings that are compared: the run's own, and without residuals or norms. */
const WIRINGS = ["own", "no-residuals", "no-norms"] as const;

function wired(edits: EditLists, wiring: (typeof WIRINGS)[number]): EditLists {
  if (wiring === "own") return edits;
  const edit = wiring === "no-residuals" ? { residual: false } : { norm: "none" as const };
  return { ...edits, blocks: [...edits.blocks, edit] };
}

/** The length of the gradient with respect to all of the stream, by depth. */
function lengthsOf({ data, shape: [depths = 0, n = 0] }: Tensor): number[] {
  return Array.from({ length: depths }, (_, depth) =>
    Math.hypot(...data.subarray(depth * n, (depth + 1) * n)),
  );
}

interface Wired extends Read {
  edits: EditLists;
}

/** The length of the gradient by depth, with and without residuals and norms. */
export const gradientDepths = demo("gradientDepths", {
  title: "gradientDepths.title",
  absent,
  waits: true,
  reads: (on): Wired | null => {
    const read = readOf(on);
    return read && on.edits ? { ...read, edits: on.edits } : null;
  },
  ask: async (_, { signal }, read: Wired) => {
    const { model, run, edits } = read;
    const stack = blockStackOf(read);
    const { target, names: of } = await gradientTarget(run, read);
    const depths = (one: Run): Promise<number[]> =>
      one.gradientNorms({ stack, target }).then(lengthsOf);
    const lines: { wiring: (typeof WIRINGS)[number]; lengths: number[] }[] = [];
    for (const wiring of WIRINGS) {
      const input = { ...originalInput(model, run), edits: sentEdits(wired(edits, wiring)) };
      const lengths = wiring === "own" ? depths(run) : withRun(model, input, depths, { signal });
      lines.push({ wiring, lengths: await lengths });
    }
    return { lines, of };
  },
  views: ({ lines, of }, _, { stack }) => {
    const heading = message("gradientDepths.heading", of);
    const names = lines.map(({ wiring }) => message(`gradientDepths.${wiring}`));
    const drawn = lines.map(({ lengths }, at) => curveOf(names[at] ?? "", lengths));
    const depths = lines[0]?.lengths ?? [];
    return [
      {
        heading,
        name: "gradient by depth",
        of: { stack },
        csv: {
          columns: [message("moved.depth"), ...names],
          rows: depths.map((_, depth) => [
            depth,
            ...lines.map(({ lengths }) => lengths[depth] ?? NaN),
          ]),
        },
        figure: curves(drawn, {
          x: message("moved.depth"),
          y: message("gradientDepths.length"),
          scales: { y: "log" },
        }),
        foot: html`<p class="small muted">${message("gradientDepths.hint")}</p>`,
      },
    ];
  },
});

/** The norm of the softmax's Jacobian of each row of a pattern. */
export function jacobianNorms(weights: Tensor): number[] {
  return Array.from({ length: weights.shape[0] ?? 0 }, (_, row) => {
    const cells = [...rowOf(weights, row)];
    const sumOf = (power: number): number => cells.reduce((sum, p) => sum + p ** power, 0);
    const squares = sumOf(2);
    return Math.sqrt(Math.max(0, squares - 2 * sumOf(3) + squares * squares));
  });
}

const SCALES = ["own", "none"] as const;

/** The norm of the softmax's Jacobian by row of the shown head, with and without √d. */
export const jacobian = demo("jacobian", {
  title: "jacobian.title",
  paper: "jacobian.paper",
  waits: true,
  reads: ({ model, run, revision, edits, head }) =>
    model && run && head && edits && !model.info.image
      ? { model, run, revision, edits, head }
      : null,
  ask: async (_, { signal }, { model, run, edits, head }) => {
    const norms = (of: Run): Promise<number[]> => of.attention(head).then(jacobianNorms);
    const own = await norms(run);
    const { stack, layer, head: index } = head;
    const bare = { stack, layers: [layer], heads: [index], scale: "none" as const };
    const sent = sentEdits(edits);
    const unscaled = { ...sent, attention: [...(sent.attention ?? []), bare] };
    const input = { ...originalInput(model, run), edits: unscaled };
    const none = await withRun(model, input, norms, { signal });
    return { own, none, tokens: tokenLabels(tokensOf(run, stack).queries) };
  },
  views: (found, _, { head }) => {
    const names = SCALES.map((scale) => message(`jacobian.${scale}`));
    const lines = SCALES.map((scale, at) => curveOf(names[at] ?? "", found[scale], 1));
    return [
      {
        heading: message("jacobian.title"),
        name: "softmax jacobian",
        of: head,
        csv: {
          columns: [message("figure.position"), message("moved.token"), ...names],
          rows: found.tokens.map((token, at) => [
            at + 1,
            token,
            ...SCALES.map((scale) => found[scale][at] ?? NaN),
          ]),
        },
        figure: curves(lines, {
          x: message("figure.position"),
          y: "‖diag(p) − p pᵀ‖",
          range: { y: [0, 0.75] },
        }),
        foot: html`<p class="small muted">${message("jacobian.hint")}</p>`,
      },
    ];
  },
});
