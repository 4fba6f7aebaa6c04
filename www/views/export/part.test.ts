// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import type { NumbersChoice } from "./choice.js";
import { shownPart } from "./part.js";
import type { ExportSubject } from "./subject.js";

/** Two patterns of 12 × 10, one behind the other, whose every number says where it is. */
const DATA = Float32Array.from({ length: 240 }, (_, index) => index);
const REGION = { query: 3, key: 1, rows: 2, columns: 3 };
const labels = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at}`);

function choice(shape: number[], pattern = true): NumbersChoice {
  const axes = [
    { name: "query", labels: labels("q", 12), first: 1 },
    { name: "key", labels: labels("k", 10), first: 1 },
  ];
  const stacked =
    shape.length === 3 ? [{ name: "stage", labels: ["raw", "scores"], first: 1 }, ...axes] : axes;
  const tensor = {
    data: DATA.subarray(
      0,
      shape.reduce((product, size) => product * size, 1),
    ),
    shape,
    axes: stacked.map(({ name }) => name),
  };
  return {
    id: "weights",
    label: "",
    group: "head",
    shape,
    pattern,
    read: () => Promise.resolve({ tensor, axes: stacked, provenance: { part: null } as never }),
  };
}

function subject(state: Partial<State>, rows = 12): ExportSubject {
  return {
    state: { ...DEFAULT_STATE, region: REGION, ...state },
    looked: { queries: labels("q", rows), keys: labels("k", 10) },
    compared: null,
  } as unknown as ExportSubject;
}

describe("the part of a pattern that a picture shows", () => {
  it("is cut out of every pattern, with the names and numbers that its places have in the whole", async () => {
    const part = shownPart(choice([2, 12, 10]), subject({}));
    expect(part?.shape).toEqual([2, 2, 3]);
    const { tensor, axes, provenance } = (await part?.read()) ?? {};
    expect(Array.from(tensor?.data ?? [])).toEqual([
      31, 32, 33, 41, 42, 43, 151, 152, 153, 161, 162, 163,
    ]);
    expect(tensor?.shape).toEqual([2, 2, 3]);
    expect(axes?.slice(1)).toEqual([
      { name: "query", labels: ["q3", "q4"], first: 4 },
      { name: "key", labels: ["k1", "k2", "k3"], first: 2 },
    ]);
    expect(axes?.[0]?.labels).toEqual(["raw", "scores"]);
    expect(provenance?.part).toEqual({ region: REGION, whole: { rows: 12, columns: 10 } });
  });

  it("is none of what shows all, of what is no pattern, of pictures without parts and of other rows", () => {
    expect(shownPart(choice([12, 10]), subject({ region: null }))).toBeNull();
    expect(shownPart(choice([12, 10], false), subject({}))).toBeNull();
    expect(shownPart(choice([12, 10]), subject({ picture: "lines" }))).toBeNull();
    expect(shownPart(choice([12, 10]), subject({}, 7))).toBeNull();
    expect(shownPart(choice([12, 10]), subject({ region: { ...REGION, query: 11 } }))).toBeNull();
    expect(shownPart(choice([12, 10]), subject({ picture: "mask" }))).not.toBeNull();
  });
});
