/** Converts a BERT of a Hugging Face folder to ONNX; the weights stay in model.safetensors. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/**
 * A protobuf message: its fields as number and value. Every number is a varint or, in a
 * `Float32Array`, 32 bits.
 */
type Message = readonly (readonly [field: number, value: Value])[];
type Value = number | string | Uint8Array | Float32Array | Message;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
}

function encode(message: Message): Buffer {
  const parts = message.flatMap(([field, value]) => {
    if (typeof value === "number") return [varint(field * 8), varint(value)];
    // A single 32-bit number.
    if (value instanceof Float32Array) return [varint(field * 8 + 5), Buffer.from(value.buffer)];
    const bytes =
      typeof value === "string"
        ? Buffer.from(value)
        : value instanceof Uint8Array
          ? Buffer.from(value)
          : encode(value);
    return [varint(field * 8 + 2), varint(bytes.length), bytes];
  });
  return Buffer.concat(parts);
}

// onnx.proto3: the types of an attribute and of a tensor's numbers.
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;
const FLOAT = 1;
const INT64 = 7;

type Attributes = Readonly<Record<string, number | Float32Array | readonly number[]>>;

function attribute(name: string, value: Attributes[string]): Message {
  if (typeof value === "number")
    return [
      [1, name],
      [3, value],
      [20, ATTRIBUTE_INT],
    ];
  if (value instanceof Float32Array)
    return [
      [1, name],
      [2, value],
      [20, ATTRIBUTE_FLOAT],
    ];
  return [[1, name], ...value.map((one) => [8, one] as const), [20, ATTRIBUTE_INTS]];
}

interface Entry {
  shape: readonly number[];
  data_offsets: readonly [number, number];
}

/** The header of a safetensors file, and the place of its first number. */
function headerOf(path: string): { tensors: Record<string, Entry>; start: number } {
  const file = openSync(path, "r");
  const length = Buffer.alloc(8);
  readSync(file, length, 0, 8, 0);
  const json = Buffer.alloc(Number(length.readBigUInt64LE()));
  readSync(file, json, 0, json.length, 8);
  closeSync(file);
  return {
    tensors: JSON.parse(json.toString()) as Record<string, Entry>,
    start: 8 + json.length,
  };
}

interface Config {
  hidden_size: number;
  layer_norm_eps: number;
  num_attention_heads: number;
  num_hidden_layers: number;
}

class Graph {
  readonly nodes: Message[] = [];
  readonly initializers: Message[] = [];
  private count = 0;

  /** Adds a node with one output, whose name it returns. */
  add(operation: string, inputs: readonly string[], attributes: Attributes = {}): string {
    const output = `x${++this.count}`;
    this.nodes.push([
      ...inputs.map((name) => [1, name] as const),
      [2, output],
      [4, operation],
      ...Object.entries(attributes).map(([name, value]) => [5, attribute(name, value)] as const),
    ]);
    return output;
  }

  constant(values: readonly number[], type: number): string {
    const name = `c${++this.count}`;
    const raw = type === FLOAT ? new Float32Array(values) : new BigInt64Array(values.map(BigInt));
    const dims = type === FLOAT ? [] : [[1, values.length] as const];
    this.initializers.push([...dims, [2, type], [8, name], [9, new Uint8Array(raw.buffer)]]);
    return name;
  }
}

/**
 * Writes onnx/model.onnx into the folder: `input_ids` and `token_type_ids`, `[1, n]`, to
 * `last_hidden_state`, `[1, n, d]`.
 */
export function writeOnnx(folder: string): void {
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as Config;
  const { tensors, start } = headerOf(join(folder, "model.safetensors"));
  const prefix = "embeddings.word_embeddings.weight" in tensors ? "" : "bert.";
  const graph = new Graph();
  const used = new Set<string>();
  const weight = (name: string): string => {
    const tensor = tensors[prefix + name];
    if (tensor === undefined) throw new Error(`the checkpoint has no ${prefix}${name}`);
    const [first, end] = tensor.data_offsets;
    const place = { location: "model.onnx_data", offset: start + first, length: end - first };
    if (!used.has(name))
      graph.initializers.push([
        ...tensor.shape.map((size) => [1, size] as const),
        [2, FLOAT],
        [8, name],
        ...Object.entries(place).map(([key, value]): [number, Message] => [
          13,
          [
            [1, key],
            [2, String(value)],
          ],
        ]),
        [14, 1],
      ]);
    used.add(name);
    return name;
  };
  const linear = (x: string, name: string): string => {
    const transposed = graph.add("Transpose", [weight(`${name}.weight`)], { perm: [1, 0] });
    return graph.add("Add", [graph.add("MatMul", [x, transposed]), weight(`${name}.bias`)]);
  };
  const norm = (x: string, name: string): string =>
    graph.add("LayerNormalization", [x, weight(`${name}.weight`), weight(`${name}.bias`)], {
      axis: 2,
      epsilon: new Float32Array([config.layer_norm_eps]),
    });
  const { hidden_size: width, num_attention_heads: heads } = config;
  const size = width / heads;
  const split = graph.constant([0, 0, heads, size], INT64);
  const joined = graph.constant([0, 0, width], INT64);
  const inHeads = (x: string, perm: readonly number[]): string =>
    graph.add("Transpose", [graph.add("Reshape", [x, split])], { perm });

  const embedded = (table: string, ids: string): string =>
    graph.add("Gather", [weight(`embeddings.${table}_embeddings.weight`), ids]);
  const [zero, one] = [0, 1].map((at) => graph.constant([at], INT64));
  const length = graph.add("Gather", [graph.add("Shape", ["input_ids"]), one ?? ""]);
  const positions = graph.add("Slice", [
    weight("embeddings.position_embeddings.weight"),
    zero ?? "",
    length,
    zero ?? "",
  ]);
  const tokens = graph.add("Add", [
    embedded("word", "input_ids"),
    embedded("token_type", "token_type_ids"),
  ]);
  let x = norm(graph.add("Add", [tokens, positions]), "embeddings.LayerNorm");
  const root = graph.constant([Math.sqrt(size)], FLOAT);
  const [sqrt2, half, unit] = [Math.SQRT2, 0.5, 1].map((value) => graph.constant([value], FLOAT));
  for (let layer = 0; layer < config.num_hidden_layers; layer += 1) {
    const part = `encoder.layer.${layer}`;
    const query = inHeads(linear(x, `${part}.attention.self.query`), [0, 2, 1, 3]);
    const key = inHeads(linear(x, `${part}.attention.self.key`), [0, 2, 3, 1]);
    const value = inHeads(linear(x, `${part}.attention.self.value`), [0, 2, 1, 3]);
    const scores = graph.add("Div", [graph.add("MatMul", [query, key]), root]);
    const weights = graph.add("Softmax", [scores], { axis: 3 });
    const context = graph.add("Transpose", [graph.add("MatMul", [weights, value])], {
      perm: [0, 2, 1, 3],
    });
    const merged = graph.add("Reshape", [context, joined]);
    x = norm(
      graph.add("Add", [linear(merged, `${part}.attention.output.dense`), x]),
      `${part}.attention.output.LayerNorm`,
    );
    const inner = linear(x, `${part}.intermediate.dense`);
    const erf = graph.add("Erf", [graph.add("Div", [inner, sqrt2 ?? ""])]);
    const gelu = graph.add("Mul", [
      graph.add("Mul", [inner, graph.add("Add", [erf, unit ?? ""])]),
      half ?? "",
    ]);
    x = norm(
      graph.add("Add", [linear(gelu, `${part}.output.dense`), x]),
      `${part}.output.LayerNorm`,
    );
  }
  graph.nodes.push([
    [1, x],
    [2, "last_hidden_state"],
    [4, "Identity"],
  ]);
  const tensorOf = (name: string, type: number, sizes: readonly (string | number)[]): Message => {
    const shape = sizes.map((dim): [number, Message] => [
      1,
      [[typeof dim === "number" ? 1 : 2, dim]],
    ]);
    return [
      [1, name],
      [
        2,
        [
          [
            1,
            [
              [1, type],
              [2, shape],
            ],
          ],
        ],
      ],
    ];
  };
  const model: Message = [
    [1, 8],
    [
      7,
      [
        ...graph.nodes.map((node) => [1, node] as const),
        [2, "bert"],
        ...graph.initializers.map((tensor) => [5, tensor] as const),
        ...["input_ids", "token_type_ids"].map(
          (name) => [11, tensorOf(name, INT64, [1, "n"])] as const,
        ),
        [12, tensorOf("last_hidden_state", FLOAT, [1, "n", width])],
      ],
    ],
    [8, [[2, 17]]],
  ];
  const inner = join(folder, "onnx");
  mkdirSync(inner);
  writeFileSync(join(inner, "model.onnx"), encode(model));
  symlinkSync("../model.safetensors", join(inner, "model.onnx_data"));
}
