// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { decodeState, DEFAULT_STATE } from "../state/index.js";
import { TUTORIAL } from "../state/matrix-changes.js";
import { DEMOS, FIELDS, readDemos } from "../experiments/demos/testing/all.js";
import { decode, encode, settingsIn, settingsOf, withSettings, type Field } from "./fields.js";

describe("settings of demos in a link", () => {
  it("are written and read by name, where they differ from what the demo opens on", () => {
    const none = new Map<string, string>();
    expect(withSettings(null, "a", none)).toBeNull();
    expect(withSettings("a(x-1)b(y-2)", "a", none)).toBe("b(y-2)");
    const read = Object.fromEntries(settingsIn("a(x-ff-entered,y-)b(y-2)", "a"));
    expect(read).toEqual({ x: "ff-entered", y: "" });
    const values = { length: 24, head: 2, heads: 8, causal: false };
    const settings = settingsOf(FIELDS.alibi ?? {}, values);
    expect(withSettings(null, "alibi", settings)).toBe("alibi(head-3,causal-no)");
  });

  it.each(["Don’t (stop)\n狗 🐕-_.", ""])(
    "have the text %j in few signs that every address can have",
    (text) => {
      const field: Field = { control: "text", opens: "" };
      const written = encode(field, text);
      expect(decodeState(`demos=pad(text-${written})`).unread).toEqual([]);
      expect(decode(field, written)).toBe(text);
      expect(encode(field, "a\ud83d")).toBe("a.fffd.");
    },
  );

  it("are of demos with a name each", () => {
    expect(new Set(DEMOS.map(({ name }) => name)).size).toBe(DEMOS.length);
  });

  it("go round for every field, from what it opens on and the ends of its range", () => {
    for (const [name, fields] of Object.entries(FIELDS))
      for (const [key, field] of Object.entries(fields)) {
        const ends = field.control === "number" ? [field.least, field.most] : [];
        for (const value of [field.opens, ...ends])
          expect(decode(field, encode(field, value)), `${name} ${key}`).toEqual(value);
      }
  });

  it.each([
    "waves(dim-128,base-0.5e3,layout-halves)",
    "norm(of-ff-entered,token-3,text-a_b.2e.)lengths(from-own,schemes-none.transformer_xl)",
    "buckets(buckets-8,sides-one,head-16,heads-16)",
    "pad(text-)",
  ])("stay as they are: %s", (demos) => {
    expect(readDemos(demos, DEFAULT_STATE)).toEqual({ demos, unread: [] });
  });

  it.each<[asked: string, read: string | null, ...unread: string[]]>([
    ["waves(dim-NaN,base-5)scores(seed-3)", "waves(base-5)scores(seed-3)", "demos: dim"],
    [
      "waves(dim-1e9,length--4,pair-1.5,layout-none,odd-3)",
      null,
      "demos: dim,length,pair,layout,odd",
    ],
    ["scores(dim-513,seed-Infinity)", null, "demos: dim,seed"],
    ["rotary(headDim-3,alike-maybe)", null, "demos: headDim,alike"],
    ["masks(open-cost.cost)", null, "demos: open"],
    ["heads(room-cellar)cost(of-)", null, "demos: room", "demos: of"],
    ["norm(of-x,token-1e9,text-.zz.)", null, "demos: of,token,text"],
    ["pad(text-.d800.,constructor-1)", null, "demos: text,constructor"],
    ["kitchen(knife-1)pad(text-a)", "pad(text-a)", "demos"],
    // Beside the other settings of the demo, and the State.
    ["waves(dim-8,pair-9)", "waves(dim-8,pair-3)", "demos: pair"],
    ["alibi(heads-2,head-3,odd-1)", "alibi(heads-2,head-2)", "demos: odd,head"],
    ["buckets(maxDistance-16)", "buckets(maxDistance-17)", "demos: maxDistance"],
    ["numbers(head-3)", "numbers(head-2)", "demos: head"],
  ])(
    "are named where they cannot be, and are as near as they can: %s",
    (asked, read, ...unread) => {
      const numbers = { ...TUTORIAL, heads: 2 };
      expect(readDemos(asked, { numbers })).toEqual({ demos: read, unread });
    },
  );

  it.each(["", "waves(dim-1", "pad(text-é)"])("are none of the form %j", (demos) => {
    expect(decodeState(`demos=${demos}`)).toMatchObject({
      unread: ["demos"],
      state: { demos: null },
    });
  });
});
