/**
 * GGUF: one file with config, tokenizer and weights. Format: ggml's docs/gguf.md, versions 2 and 3.
 * Names and layouts of the weights become those of the model's Hugging Face folder.
 */

import { type HeadscopeError, refuse } from "../errors.js";
import type { WeightFile } from "../protocol.js";
import FAMILIES from "./gguf-families.json";
import { asSafetensors, type StoredTensor } from "./tensors.js";

type Metadata = ReadonlyMap<string, unknown>;

interface GgufTensor {
  name: string;
  /** Rows first. */
  shape: number[];
  type: number;
  /** First byte in the file. */
  start: number;
}

export interface Gguf {
  metadata: Metadata;
  tensors: GgufTensor[];
  /** Lists by which the speeds of rotary positions are divided, which a folder has in its config. */
  factors: Partial<Record<string, number[]>>;
}

/** What is particular to a family; what one does not say is as in the family that it is `like`. */
interface Family {
  /** Fields of config.json; `=key` is a number of the metadata. */
  config: Record<string, string | boolean | null>;
  /** Whether rows of queries and keys stand in the order of paired turns. */
  hasPairedTurns?: boolean;
  /** Whether norms hold 1 + gain. */
  hasGainsOverOne?: boolean;
  blocks: string;
  tensors: Record<string, string>;
}

/** How much of the file is read first to find the end of its header. */
const HEADER_BYTES = 1 << 22;
/** The header of a model with 262,144 words takes 10 MB. */
const LARGEST_HEADER = 1 << 28;
/** One for each pair of a head's dimensions. */
const MOST_FACTORS = 1 << 16;

const bad = (expected: string, got: string): HeadscopeError =>
  refuse("checkpoint/bad-gguf", "the GGUF file", expected, got);

/**
 * Reads the header of a file, of which first bytes are read until all of it is there.
 * @throws checkpoint/bad-gguf, checkpoint/truncated
 */
export async function parseGguf(
  size: number,
  read: (start: number, end: number) => Uint8Array | Promise<Uint8Array>,
): Promise<Gguf> {
  for (let taken = HEADER_BYTES; ; taken *= 2) {
    const bytes = await read(0, Math.min(taken, size));
    try {
      const { metadata, tensors } = new Header(bytes).parse(size);
      const factors: Gguf["factors"] = {};
      for (const tensor of tensors.filter(isOfFactors))
        factors[tensor.name] = await readFactors(tensor, read);
      return { metadata, tensors: tensors.filter((one) => !isOfFactors(one)), factors };
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      if (taken >= size) throw truncated("the GGUF file", size);
      if (taken >= LARGEST_HEADER) throw bad("a header of at most 256 MB", "a longer one");
    }
  }
}

const isOfFactors = ({ name }: GgufTensor): boolean => name.startsWith("rope_f");

async function readFactors(
  tensor: GgufTensor,
  read: (start: number, end: number) => Uint8Array | Promise<Uint8Array>,
): Promise<number[]> {
  const { name, start } = tensor;
  if (typeOf(tensor).type !== "F32" || countOf(tensor) > MOST_FACTORS)
    throw bad(`at most ${MOST_FACTORS} numbers in F32`, name);
  const bytes = await read(start, start + sizeOf(tensor));
  return [...new Float32Array(bytes.slice().buffer)];
}

const truncated = (part: string, size: number): HeadscopeError =>
  refuse("checkpoint/truncated", part, "a whole file; download it again", `${size} bytes`);

class Header {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  parse(size: number): Pick<Gguf, "metadata" | "tensors"> {
    this.at = 4;
    const version = this.number(4);
    if (version !== 2 && version !== 3)
      throw bad("version 2 or 3, little-endian; convert the model again", `version ${version}`);
    const [tensorCount, fieldCount] = [this.number(10), this.number(10)];
    const metadata = new Map<string, unknown>();
    for (let i = 0; i < fieldCount; i += 1) metadata.set(this.text(), this.value(this.number(4)));
    const tensors: GgufTensor[] = [];
    for (let i = 0; i < tensorCount; i += 1) {
      const name = this.text();
      const axes = this.number(4);
      if (axes > 4) throw bad("tensors of at most 4 axes", `${axes} axes of ${name}`);
      const shape = Array.from({ length: axes }, () => this.number(10)).reverse();
      tensors.push({ name, shape, type: this.number(4), start: this.number(10) });
    }
    const given = metadata.get("general.alignment");
    const alignment = typeof given === "number" && given > 0 ? given : 32;
    const data = Math.ceil(this.at / alignment) * alignment;
    for (const tensor of tensors) {
      tensor.start += data;
      const end = tensor.start + sizeOf(tensor);
      if (!(end <= size)) throw truncated(tensor.name, size);
    }
    return { metadata, tensors };
  }

  private text(): string {
    const length = this.number(10);
    if (this.at + length > this.bytes.length) throw new RangeError("beyond the header");
    const text = this.bytes.subarray(this.at, (this.at += length));
    return new TextDecoder().decode(text);
  }

  /** A number of one of the format's types. */
  private number(type: number): number {
    const { view, at } = this;
    const reads: Record<number, [number, () => number]> = {
      0: [1, () => view.getUint8(at)],
      1: [1, () => view.getInt8(at)],
      2: [2, () => view.getUint16(at, true)],
      3: [2, () => view.getInt16(at, true)],
      4: [4, () => view.getUint32(at, true)],
      5: [4, () => view.getInt32(at, true)],
      6: [4, () => view.getFloat32(at, true)],
      10: [8, () => Number(view.getBigUint64(at, true))],
      11: [8, () => Number(view.getBigInt64(at, true))],
      12: [8, () => view.getFloat64(at, true)],
    };
    const found = reads[type];
    if (found === undefined)
      throw bad("fields of known types; convert the model again", `type ${type}`);
    const value = found[1]();
    this.at += found[0];
    return value;
  }

  private value(type: number): unknown {
    if (type === 7) return this.number(0) !== 0;
    if (type === 8) return this.text();
    if (type !== 9) return this.number(type);
    const [of, length] = [this.number(4), this.number(10)];
    const list: unknown[] = [];
    for (let i = 0; i < length; i += 1) list.push(this.value(of));
    return list;
  }
}

const countOf = ({ shape }: GgufTensor): number => shape.reduce((all, size) => all * size, 1);

/** Bytes in the file. */
const sizeOf = (tensor: GgufTensor): number =>
  (countOf(tensor) / typeOf(tensor).numbers) * typeOf(tensor).bytes;

/** A plain type as safetensors files name it, or one of ggml's blocks, with the numbers of a block and its bytes. */
interface Type {
  type: string;
  numbers: number;
  bytes: number;
}

/** By ggml's number of the type. */
const TYPES = new Map(
  (
    [
      [0, "F32", 1, 4],
      [1, "F16", 1, 2],
      [2, "Q4_0", 32, 18],
      [3, "Q4_1", 32, 20],
      [6, "Q5_0", 32, 22],
      [7, "Q5_1", 32, 24],
      [8, "Q8_0", 32, 34],
      [12, "Q4_K", 256, 144],
      [13, "Q5_K", 256, 176],
      [14, "Q6_K", 256, 210],
      [30, "BF16", 1, 2],
    ] as const
  ).map(([number, type, numbers, bytes]): [number, Type] => [number, { type, numbers, bytes }]),
);

function typeOf({ name, type }: GgufTensor): Type {
  const found = TYPES.get(type);
  if (found !== undefined) return found;
  const expected = [...TYPES.values()].map((known) => known.type).join(", ");
  throw refuse("checkpoint/wrong-dtype", `the tensor ${name}`, expected, `ggml's type ${type}`);
}

function familyOf(metadata: Metadata): Family {
  const name = String(metadata.get("general.architecture"));
  const rows = FAMILIES as Record<string, Partial<Family> & { like?: string }>;
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined) {
    const expected = `one of ${Object.keys(FAMILIES).join(", ")}`;
    throw refuse(
      "config/unsupported-family",
      "general.architecture of the GGUF file",
      expected,
      name,
    );
  }
  const base =
    row.like === undefined ? {} : familyOf(new Map([["general.architecture", row.like]]));
  const { config, tensors } = base as Partial<Family>;
  return {
    ...base,
    ...row,
    config: { ...config, ...row.config },
    tensors: { ...tensors, ...row.tensors },
  } as Family;
}

/** What config.json would say. */
export function configOf({ metadata, tensors, factors }: Gguf): string {
  const field = (key: string): unknown =>
    metadata.get(`${String(metadata.get("general.architecture"))}.${key}`);
  const entries = Object.entries(familyOf(metadata).config)
    .map(([name, value]) => {
      const isKey = typeof value === "string" && value.startsWith("=");
      return [name, isKey ? field(value.slice(1)) : value];
    })
    .filter(([, value]) => value !== null && value !== undefined);
  const find = (name: string): GgufTensor | undefined => tensors.find((one) => one.name === name);
  const tokens = find("token_embd.weight")?.shape[0];
  const types = find("token_types.weight")?.shape[0];
  // Llama's are for texts of every length, Phi's for those of the original one.
  const always = factors["rope_freqs.weight"];
  const short = always ?? factors["rope_factors_short.weight"];
  const scaling = short === undefined ? field("rope.scaling.type") : "longrope";
  const headDim =
    field("attention.key_length") ??
    Number(field("embedding_length")) / Number(field("attention.head_count"));
  const turned = Number(field("rope.dimension_count")) / Number(headDim);
  const token = (name: string): unknown => metadata.get(`tokenizer.ggml.${name}_token_id`);
  return JSON.stringify({
    ...Object.fromEntries(entries),
    vocab_size: tokens,
    ...(types !== undefined && { type_vocab_size: types }),
    tie_word_embeddings: find("output.weight") === undefined,
    attention_bias: find("blk.0.attn_output.bias") !== undefined,
    mlp_bias: find("blk.0.ffn_up.bias") !== undefined,
    bos_token_id: token("bos"),
    eos_token_id: token("eos"),
    pad_token_id: token("padding"),
    ...(turned < 1 && { partial_rotary_factor: turned }),
    ...(typeof scaling === "string" &&
      scaling !== "none" && {
        rope_scaling: {
          rope_type: scaling,
          factor: field("rope.scaling.factor"),
          ...(always === undefined && {
            original_max_position_embeddings: field("rope.scaling.original_context_length"),
          }),
          ...(short !== undefined && {
            short_factor: short,
            attention_factor: always === undefined ? field("rope.scaling.attn_factor") : 1,
          }),
        },
      }),
  });
}

/**
 * The weights under their names in a Hugging Face folder.
 * @throws checkpoint/bad-gguf, checkpoint/wrong-dtype, config/unsupported-family
 */
export async function readGguf(file: WeightFile): Promise<WeightFile> {
  const { metadata, tensors } = await parseGguf(file.size, (start, end) => file.read(start, end));
  const family = familyOf(metadata);
  const field = (key: string): number =>
    Number(metadata.get(`${String(metadata.get("general.architecture"))}.attention.${key}`));
  const stored = tensors.map((tensor): StoredTensor => {
    const [, block, part = "", suffix] =
      /^(?:blk\.(\d+)\.)?(\w+)\.(weight|bias)$/.exec(tensor.name) ?? [];
    const renamed = Object.hasOwn(family.tensors, part) ? family.tensors[part] : undefined;
    if (renamed === undefined || suffix === undefined)
      throw bad("tensors that the model's family has in its plain form", tensor.name);
    const name = `${block === undefined ? "" : `${family.blocks}${block}.`}${renamed}.${suffix}`;
    const heads = part === "attn_q" ? field("head_count") : field("head_count_kv");
    if (family.hasPairedTurns && (part === "attn_q" || part === "attn_k"))
      return { ...changed(file, tensor, (rows) => inHalves(rows, tensor, heads)), name };
    if (family.hasGainsOverOne && part.endsWith("norm"))
      return { ...changed(file, tensor, (gains) => overOne(gains, tensor)), name };
    return { ...unchanged(file, tensor), name };
  });
  return asSafetensors(file.name, stored);
}

/** A tensor as it is in the file. */
function unchanged(file: WeightFile, tensor: GgufTensor): Omit<StoredTensor, "name"> {
  const { name, shape, start } = tensor;
  const { type, numbers, bytes } = typeOf(tensor);
  const stored = {
    size: sizeOf(tensor),
    read: (from: number, to: number) => file.read(start + from, start + to),
  };
  if (numbers === 1) return { ...stored, shape, dtype: type };
  const rowBytes = ((shape.at(-1) ?? 0) / numbers) * bytes;
  if (!Number.isInteger(rowBytes)) throw bad("rows of whole blocks", name);
  return { ...stored, shape: [...shape.slice(0, -1), rowBytes], dtype: "U8", blocks: type };
}

/** The tensor that was changed last: the core reads one after the other. */
let last: { tensor: GgufTensor; bytes: Uint8Array } | null = null;

/** A tensor that is read whole and changed. */
function changed(
  file: WeightFile,
  tensor: GgufTensor,
  change: (bytes: Uint8Array) => Uint8Array,
): Omit<StoredTensor, "name"> {
  const stored = unchanged(file, tensor);
  const read = (from: number, to: number): Uint8Array => {
    if (last?.tensor !== tensor) last = { tensor, bytes: change(stored.read(0, stored.size)) };
    return last.bytes.subarray(from, to);
  };
  return { ...stored, read };
}

/** Rows of each head from paired turns, 0 and d/2 side by side, to halves. A bias has rows of one number. */
function inHalves(bytes: Uint8Array, { shape: [rows = 0] }: GgufTensor, heads: number): Uint8Array {
  const [half, width] = [rows / heads / 2, bytes.length / rows];
  if (!Number.isInteger(half)) throw bad("rows for each of its heads", `${rows} for ${heads}`);
  const moved = new Uint8Array(bytes.length);
  for (let row = 0; row < rows; row += 1) {
    const [head, within] = [Math.floor(row / (2 * half)), row % (2 * half)];
    const from = 2 * half * head + 2 * (within % half) + Math.floor(within / half);
    moved.set(bytes.subarray(from * width, (from + 1) * width), row * width);
  }
  return moved;
}

/** Gains of a norm that multiplies by 1 + gain; ggml's own are always f32. */
function overOne(bytes: Uint8Array, tensor: GgufTensor): Uint8Array {
  if (typeOf(tensor).type !== "F32") throw bad("norms in F32", tensor.name);
  const gains = new Float32Array(bytes.slice().buffer);
  return new Uint8Array(gains.map((gain) => gain - 1).buffer);
}
