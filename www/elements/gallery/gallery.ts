// A page of all elements on made-up numbers, for whoever works on their looks: `npm run dev`, then /www/elements/gallery/.
import { html, render, type TemplateResult } from "lit";
import type { Cell, Stage, Tensor, Token } from "../../data/index.js";
import "../index.js";

const theme = new URLSearchParams(location.search).get("theme");
if (theme) document.documentElement.dataset.theme = theme;

/** Repeatable numbers between 0 and 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function tokensOf(words: string): Token[] {
  const pieces = words
    .split(" ")
    .flatMap((word, index) => word.split("|").map((text) => ({ text, word: index })));
  return pieces.map(({ text, word }) => ({ id: 0, text, word, special: false, role: null }));
}

const end: Token = { id: 0, text: "</s>", word: -1, special: true, role: "end" };
const start: Token = { ...end, text: "<pad>", role: "start" };
const source = [
  ...tokensOf("The little black cat that I gave my sister doesn|'|t like milk|."),
  end,
];
const target = [
  start,
  ...tokensOf("Le petit chat noir que j|' ai donné ma sœur n|' aime pas le lait de lait|."),
];

function scores(rows: number, columns: number, seed: number): Float32Array {
  const next = seeded(seed);
  const sharp = 2 + 7 * next();
  const shift = Math.round(next() * 4 - 2);
  return Float32Array.from({ length: rows * columns }, (_, index) => {
    const expected = (Math.floor(index / columns) * columns) / rows + shift;
    return sharp * Math.exp(-(((index % columns) - expected) ** 2) / 5) + 3 * next() - 2;
  });
}

function softmax(values: Float32Array, columns: number): Float32Array {
  const weights = values.map((value) => Math.exp(value));
  for (let row = 0; row < weights.length; row += columns) {
    const line = weights.subarray(row, row + columns);
    const sum = line.reduce((total, value) => total + value, 0);
    line.forEach((value, index) => (line[index] = sum > 0 ? value / sum : 0));
  }
  return weights;
}

const matrix = (data: Float32Array, columns: number): Tensor => ({
  data,
  shape: [data.length / columns, columns],
  axes: ["query", "key"],
});
const causal = (data: Float32Array, columns: number): Float32Array =>
  data.map((value, index) => (index % columns > Math.floor(index / columns) ? -Infinity : value));

const width = source.length;
const raw = matrix(scores(target.length, width, 7), width);
const own = target.length;
const masked = matrix(causal(scores(own, own, 3), own), own);
const mask = matrix(causal(new Float32Array(own * own), own), own);
const blocked: Cell[] = [
  { query: 6, key: 6 },
  { query: 9, key: 3 },
];
const tensors: Record<Stage, Tensor> = {
  raw,
  scores: raw,
  masked,
  weights: matrix(softmax(raw.data, width), width),
};

const headDim = 24;
const vectors = {
  query: matrix(scores(own, headDim, 11), headDim),
  key: matrix(scores(own, headDim, 13), headDim),
};
const products = matrix(
  Float32Array.from({ length: own * own }, (_, index) => {
    const [query, key] = [Math.floor(index / own), index % own];
    return vectors.query.data
      .subarray(query * headDim, (query + 1) * headDim)
      .reduce(
        (sum, value, dimension) => sum + value * (vectors.key.data[key * headDim + dimension] ?? 0),
        0,
      );
  }),
  own,
);

const size = 16;
const thumbnails: Tensor = {
  data: Float32Array.from(
    Array.from({ length: 24 }, (_, head) => [
      ...softmax(scores(size, size, head * 97 + 5), size),
    ]).flat(),
  ),
  shape: [3, 8, size, size],
  axes: ["layer", "head", "query", "key"],
};

const dimensions = 192;
const positions = matrix(
  Float32Array.from({ length: 24 * dimensions }, (_, index) => {
    const [position, dimension] = [Math.floor(index / dimensions), index % dimensions];
    const angle = position / 10000 ** ((2 * (dimension % 96)) / dimensions);
    return dimension < 96 ? Math.sin(angle) : Math.cos(angle);
  }),
  dimensions,
);

const many = Number(new URLSearchParams(location.search).get("tokens") ?? 0);
const long = Array.from(
  { length: many },
  (_, index) => ({ ...tokensOf(`w${index}`)[0], id: index }) as Token,
);

const state = {
  hovered: null as Cell | null,
  locked: { query: 7, key: 6 } as Cell | null,
  blocking: false,
  blocked,
  mass: 90,
  beside: [3],
};

function heatmap(stage: Stage, tensor: Tensor, queries: Token[], keys: Token[]): TemplateResult {
  return html`<headscope-heatmap
    .tensor=${tensor}
    .queries=${queries}
    .keys=${keys}
    .stage=${stage}
    .locked=${stage === "weights" ? state.locked : null}
    .blocked=${stage === "weights" ? state.blocked : []}
    .fullyMasked=${stage === "masked" ? [4] : []}
    @headscope-cell-lock=${(event: CustomEvent<Cell | null>) => {
      state.locked = event.detail;
      draw();
    }}
    @headscope-cell-toggle=${(event: CustomEvent<Cell>) => {
      state.blocked = [...state.blocked, event.detail];
      draw();
    }}
  ></headscope-heatmap>`;
}

function page(): TemplateResult {
  if (many > 0) {
    const tensor = matrix(softmax(scores(many, many, 5), many), many);
    return html`<div></div><div>${heatmap("weights", tensor, long, long)}</div>`;
  }
  return html`
    <div>
      <headscope-grid
        .thumbnails=${thumbnails}
        .selected=${{ layer: 1, head: 2 }}
        .silenced=${[{ layer: 0, head: 5 }]}
        .stack=${"cross"}
      ></headscope-grid>
      <h2>Some heads, in another order</h2>
      <headscope-grid
        .thumbnails=${thumbnails}
        .selected=${{ layer: 1, head: 2 }}
        .order=${[5, 10, 3, 17].map((index) => ({ layer: Math.floor(index / 8), head: index % 8, note: `0.${90 - index}` }))}
        .stack=${"cross"}
      ></headscope-grid>
      <h2>Chips</h2>
      <headscope-chips
        .chips=${[
          { id: "a", label: "Cross-attention 2.3: j may not look at gave" },
          { id: "b", label: "Encoder 1.6 silenced" },
          { id: "c", label: "Encoder: token 40 (does not fit this text)", inactive: true },
        ]}
      ></headscope-chips>
    </div>
    <div>
      <headscope-tokens .tokens=${source} .hovered=${6} .locked=${[3]} label="Tokens"></headscope-tokens>
      <h2>Weights</h2>
      ${heatmap("weights", tensors.weights, target, source)}
      <h2>Scores</h2>
      ${heatmap("scores", raw, target, source)}
      <h2>Masked</h2>
      ${heatmap("masked", masked, target, target)}
      <h2>Lines</h2>
      <headscope-lines
        .patterns=${[0, ...state.beside].map((head) => ({ head, weights: matrix(softmax(scores(target.length, width, 7 + 12 * head), width), width) }))}
        .heads=${8}
        .mass=${state.mass}
        .queries=${target}
        .keys=${source}
        .locked=${state.locked}
        .blocked=${state.blocked}
        @headscope-mass-change=${(event: CustomEvent<number>) => {
          state.mass = event.detail;
          draw();
        }}
        @headscope-beside-toggle=${({ detail: head }: CustomEvent<number>) => {
          state.beside = state.beside.includes(head)
            ? state.beside.filter((other) => other !== head)
            : [...state.beside, head];
          draw();
        }}
      ></headscope-lines>
      <h2>Dimensions</h2>
      <headscope-dimensions
        .stages=${{ raw: products, scores: products, masked: products, weights: matrix(softmax(products.data, own), own) }}
        .vectors=${vectors}
        .queries=${target}
        .keys=${target}
        .locked=${{ query: 7, key: 3 }}
      ></headscope-dimensions>
      <h2>Mask</h2>
      <headscope-mask .mask=${mask} .queries=${target} .keys=${target} .blocked=${[{ query: 5, key: 2 }]}></headscope-mask>
      <h2>Positions</h2>
      <headscope-positions .tensor=${positions}></headscope-positions>
      <h2>Nothing</h2>
      <headscope-heatmap></headscope-heatmap>
    </div>
    <div>
      <headscope-bars
        heading="This query looks at"
        .items=${[
          { label: "gave", value: 0.774, text: "0.774" },
          { label: "black", value: 0.181, text: "0.181" },
          { label: "like", value: 0.022, text: "0.022" },
          { label: "I", value: 0.018, text: "0.018" },
          { label: "cat", value: 0.002, text: "0.002" },
        ]}
      ></headscope-bars>
      <h2>Singular values</h2>
      <headscope-spectrum
        .lists=${[
          {
            of: "scores",
            heading: "Scores",
            values: Array.from({ length: 17 }, (_, index) => 30 * 0.5 ** index),
            rank: 2,
          },
          {
            of: "weights",
            heading: "Weights",
            values: Array.from({ length: 17 }, (_, index) => 3 * 0.7 ** index),
            rank: 4,
          },
        ]}
      ></headscope-spectrum>
    </div>
  `;
}

function draw(): void {
  const main = document.querySelector("main");
  if (main) render(page(), main);
}

draw();
