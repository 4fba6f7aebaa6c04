/**
 * `pytorch_model.bin`: a zip file of stored entries, of which `data.pkl` says what each tensor is and `data/0` and so on
 * hold the numbers. The pickle is read as data: what it names beside tensors is refused, and nothing of it is run.
 */

import { BufferReader, Parser } from "pickleparser";
import { describe, HeadscopeError, refuse } from "../errors.js";
import type { WeightFile } from "../protocol.js";
import { asSafetensors, type StoredTensor } from "./tensors.js";

/** Where the bytes of an entry stand in the file. */
interface Entry {
  start: number;
  size: number;
}

/** PyTorch's kinds of storage as safetensors names them, and the bytes of a number. */
const STORAGES: Readonly<Record<string, readonly [string, number]>> = {
  DoubleStorage: ["F64", 8],
  FloatStorage: ["F32", 4],
  HalfStorage: ["F16", 2],
  BFloat16Storage: ["BF16", 2],
  LongStorage: ["I64", 8],
  IntStorage: ["I32", 4],
  ShortStorage: ["I16", 2],
  CharStorage: ["I8", 1],
  ByteStorage: ["U8", 1],
  BoolStorage: ["BOOL", 1],
};

type Storage = Entry & { dtype: string; width: number };
type Resolve = (module: unknown, name: unknown) => (...args: never[]) => unknown;
type Unnamed = Omit<StoredTensor, "name">;

/**
 * Opcodes that torch.save does not write: bytes of a negative length, a dictionary whose keys become texts, and a number
 * of any length. The parser would take for ever.
 */
const ENDLESS = [0x42, 0x64, 0x8b];
const [BUILD, POP] = [0x62, 0x30];

type Refuse = (expected: string, got: string) => HeadscopeError;

/** @throws checkpoint/bad-zip, checkpoint/bad-pickle */
export function readPyTorch(file: WeightFile): WeightFile {
  const bad: Refuse = (...got) => refuse("checkpoint/bad-pickle", file.name, ...got);
  try {
    return asSafetensors(file.name, tensorsOf(file, bad));
  } catch (thrown) {
    if (thrown instanceof HeadscopeError) throw thrown;
    throw bad("a file that torch.save wrote; download it again", describe(thrown));
  }
}

function tensorsOf(file: WeightFile, bad: Refuse): StoredTensor[] {
  const entries = entriesOf(file);
  const [path] = [...entries.keys()].filter((name) => /(^|\/)data\.pkl$/.test(name));
  const pickle = entries.get(path ?? "");
  if (path === undefined || pickle === undefined)
    throw bad("a file that torch.save wrote, with a data.pkl", "no data.pkl");
  const storageOf = (id: unknown): Storage => {
    const [, kind, key] = Array.isArray(id) ? (id as unknown[]) : [];
    const text = typeof key === "string" ? key : "";
    const entry = entries.get(path.replace(/data\.pkl$/, `data/${text}`));
    if (entry === undefined || !isKind(kind))
      throw bad("numbers for each tensor; download it again", `none at ${text}`);
    return { ...entry, ...kind };
  };
  const parser = new Parser({
    unpicklingTypeOfDictionary: "Map",
    persistentResolver: { resolve: storageOf },
    nameResolver: { resolve: namesOf(file, bad) },
  });
  const bytes = file.read(pickle.start, pickle.start + pickle.size).slice();
  const reader = new BufferReader(bytes);
  // The parser asks before each opcode.
  reader.hasNext = () => {
    const opcode = bytes[reader.position] ?? 0;
    if (ENDLESS.includes(opcode)) throw new Error(`the opcode ${opcode}`);
    // It would give what is built attributes, which no tensor has.
    if (opcode === BUILD) bytes[reader.position] = POP;
    return reader.position < bytes.length;
  };
  const tensors: unknown = parser.read(reader);
  if (!(tensors instanceof Map))
    throw bad("tensors by their names, as save_pretrained writes them", typeof tensors);
  return [...(tensors as Map<unknown, unknown>)].flatMap(([name, tensor]) =>
    isTensor(tensor) && typeof name === "string" ? [{ ...tensor, name }] : [],
  );
}

const isKind = (value: unknown): value is Pick<Storage, "dtype" | "width"> =>
  typeof value === "function" && "dtype" in value;
const isTensor = (value: unknown): value is Unnamed =>
  typeof value === "object" && value !== null && "read" in value;

/** What a pickle may name: storages, and the functions that make tensors of them. */
function namesOf(file: WeightFile, bad: Refuse): Resolve {
  const tensor = (
    { dtype, width, ...entry }: Storage,
    offset: number,
    shape: number[],
    strides: number[],
  ): Unnamed => {
    if (![offset, ...shape, ...strides].every(Number.isInteger)) throw new Error("no sizes");
    const count = shape.reduce((product, size) => product * size, 1);
    let stride = count;
    const isRowMajor = shape.every((size, axis) => {
      stride /= size;
      return size < 2 || strides[axis] === stride;
    });
    const [start, size] = [entry.start + offset * width, count * width];
    if (!isRowMajor && count > 0)
      throw bad("tensors in row-major order; save them with contiguous()", `[${strides.join()}]`);
    if (!(offset >= 0) || !(offset * width + size <= entry.size))
      throw bad("as many numbers as the shapes need; download it again", `${entry.size} bytes`);
    return { dtype, shape, size, read: (from, to) => file.read(start + from, start + to) };
  };
  const known: Readonly<Record<string, (...args: never[]) => unknown>> = {
    "torch._utils._rebuild_tensor_v2": tensor,
    "torch._utils._rebuild_parameter": (data: Unnamed) => data,
    "collections.OrderedDict": () => new Map(),
  };
  return (module, name) => {
    if (typeof module !== "string" || typeof name !== "string") throw new Error("no name");
    const storage =
      module === "torch" && Object.hasOwn(STORAGES, name) ? STORAGES[name] : undefined;
    if (storage !== undefined)
      return Object.assign(() => undefined, { dtype: storage[0], width: storage[1] });
    const path = `${module}.${name}`;
    if (Object.hasOwn(known, path) && known[path]) return known[path];
    throw bad("tensors alone, which are read without running anything", path);
  };
}

/** The entries of a zip file, none of them compressed. Format: PKWARE's APPNOTE 6.3, with its 64-bit extension. */
function entriesOf(file: WeightFile): Map<string, Entry> {
  const expected = "a whole zip file of stored entries; download it again";
  const broken = (got: string): HeadscopeError =>
    refuse("checkpoint/bad-zip", file.name, expected, got);
  const view = (start: number, size: number): DataView => {
    if (!(start >= 0) || start + size > file.size) throw broken("one that is cut off");
    const bytes = file.read(start, start + size);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  const long = (from: DataView, at: number): number => Number(from.getBigUint64(at, true));
  const ends = view(Math.max(0, file.size - 65_557), Math.min(file.size, 65_557));
  let at = ends.byteLength - 22;
  while (at >= 0 && ends.getUint32(at, true) !== 0x06054b50) at -= 1;
  if (at < 0) throw broken("one without its directory");
  let [count, size, start] = [
    ends.getUint16(at + 10, true),
    ends.getUint32(at + 12, true),
    ends.getUint32(at + 16, true),
  ];
  if (at >= 20 && ends.getUint32(at - 20, true) === 0x07064b50) {
    const end = view(long(ends, at - 12), 56);
    [count, size, start] = [long(end, 32), long(end, 40), long(end, 48)];
  }
  const directory = view(start, size);
  const entries = new Map<string, Entry>();
  for (let next = 0; count > 0; count -= 1) {
    if (next + 46 > size || directory.getUint32(next, true) !== 0x02014b50)
      throw broken("a directory that is none");
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((field) =>
      directory.getUint16(next + field, true),
    ) as [number, number, number];
    const header = next + 46;
    const name = new Uint8Array(directory.buffer, directory.byteOffset + header, nameSize);
    let [length, place] = [
      directory.getUint32(next + 24, true),
      directory.getUint32(next + 42, true),
    ];
    // Numbers that need 64 bits stand in an extra field, those that do not are left out of it.
    for (let extra = header + nameSize; extra + 4 <= header + nameSize + extraSize; ) {
      if (directory.getUint16(extra, true) === 1) {
        let field = extra + 4;
        const wide = (value: number): number =>
          value === 0xffff_ffff ? long(directory, (field += 8) - 8) : value;
        length = wide(length);
        wide(directory.getUint32(next + 20, true));
        place = wide(place);
      }
      extra += 4 + directory.getUint16(extra + 2, true);
    }
    if (directory.getUint16(next + 10, true) !== 0) throw broken("compressed entries");
    const local = view(place, 30);
    const data = place + 30 + local.getUint16(26, true) + local.getUint16(28, true);
    view(data + length, 0);
    entries.set(new TextDecoder().decode(name), { start: data, size: length });
    next = header + nameSize + extraSize + commentSize;
  }
  return entries;
}
