import { describe, expect, it } from "vitest";
import { decodeState, DEFAULT_STATE, TUTORIAL } from "../../state/index.js";
import { readLabs, settingsOf, withLab } from "./lab-link.js";
import { LAB_TABLE } from "./lab-table.js";
import { TEXT } from "./lab-values.js";

describe("laboratories in a link", () => {
  it("are written and read by name", () => {
    expect(withLab(null, "a", "")).toBeNull();
    expect(withLab("a(x-1)b(y-2)", "a", "")).toBe("b(y-2)");
    expect([...settingsOf("a(x-ff-entered,y-)b(y-2)", "a")]).toEqual([
      ["x", "ff-entered"],
      ["y", ""],
    ]);
  });

  it("are all known to the address", () => {
    for (const [name, fields] of Object.entries(LAB_TABLE))
      if (Object.keys(fields).length > 0)
        expect(decodeState(`labs=${name}(a-1)`).unread, name).toEqual([]);
  });

  it("stay as they are where they can be", () => {
    for (const labs of [
      "waves(dim-128,base-0.5e3,layout-halves)",
      "norm(of-ff-entered,token-3,text-a_b.2e.)lengths(from-own,schemes-none.transformer_xl)",
      "buckets(buckets-8,sides-one,head-16,heads-16)",
      "pad(text-)",
    ])
      expect(readLabs(labs, DEFAULT_STATE)).toEqual({ labs, unread: [] });
  });

  it("that cannot be are named, and what remains is said", () => {
    for (const [asked, labs, unread] of [
      ["waves(dim-NaN)", null, "labs: dim"],
      ["waves(dim-NaN,base-5)scores(seed-3)", "waves(base-5)scores(seed-3)", "labs: dim"],
      [
        "waves(dim-1e9,length--4,pair-1.5,layout-none,odd-3)",
        null,
        "labs: dim,length,pair,layout,odd",
      ],
      ["scores(dim-513,seed-Infinity)", null, "labs: dim,seed"],
      ["rotary(headDim-3,alike-maybe)", null, "labs: headDim,alike"],
      ["alibi(head-0,heads-65)", null, "labs: head,heads"],
      ["buckets(buckets-7,maxDistance-4097)", null, "labs: buckets,maxDistance"],
      ["terms(dim-0)", null, "labs: dim"],
      ["learned(length-1)", null, "labs: length"],
      ["places(part-kitchen)", null, "labs: part"],
      ["masks(open-cost.cost)", null, "labs: open"],
      ["cost(of-)", null, "labs: of"],
      ["heads(room-cellar)", null, "labs: room"],
      ["effect(word-0)", null, "labs: word"],
      ["pruning(sentences-13)", null, "labs: sentences"],
      ["stream(of-x)", null, "labs: of"],
      ["norm(of-x,token-1e9,text-.zz.)", null, "labs: of,token,text"],
      ["lengths(times-3,mean-2,from-mine)", null, "labs: times,mean,from"],
      ["pad(text-.d800.)", null, "labs: text"],
      ["pad(constructor-1)", null, "labs: constructor"],
    ] as const)
      expect(readLabs(asked, DEFAULT_STATE), asked).toEqual({ labs, unread: [unread] });
    expect(readLabs("waves(dim-0)scores(dim-8,seed--1)", DEFAULT_STATE)).toEqual({
      labs: "scores(dim-8)",
      unread: ["labs: dim", "labs: seed"],
    });
  });

  it("that contradict their other settings are named, and are as near as they can be", () => {
    for (const [asked, labs, unread] of [
      ["waves(dim-8,pair-9)", "waves(dim-8,pair-3)", ["labs: pair"]],
      ["waves(pair-31)", "waves(pair-31)", []],
      ["waves(pair-32)", "waves(pair-31)", ["labs: pair"]],
      ["waves(pair-9,dim-NaN)scores(dim-8)", "waves(pair-9)scores(dim-8)", ["labs: dim"]],
      ["alibi(head-12,heads-12)", "alibi(head-12,heads-12)", []],
      ["alibi(head-9)waves(pair-200)", "alibi(head-8)waves(pair-31)", ["labs: head", "labs: pair"]],
      ["alibi(heads-2,head-3,odd-1)", "alibi(heads-2,head-2)", ["labs: odd,head"]],
      [
        "buckets(buckets-128,maxDistance-64)",
        "buckets(buckets-128,maxDistance-65)",
        ["labs: maxDistance"],
      ],
      ["buckets(maxDistance-16)", "buckets(maxDistance-17)", ["labs: maxDistance"]],
      [
        "buckets(buckets-8,maxDistance-5,heads-4,head-5)",
        "buckets(buckets-8,maxDistance-5,heads-4,head-4)",
        ["labs: head"],
      ],
      ["numbers(head-2)", "numbers(head-1)", ["labs: head"]],
    ] as const)
      expect(readLabs(asked, DEFAULT_STATE), asked).toEqual({ labs, unread });
    expect(readLabs("numbers(head-3)", { numbers: { ...TUTORIAL, heads: 3 } })).toEqual({
      labs: "numbers(head-3)",
      unread: [],
    });
  });

  it("write half a character as an unknown one", () => {
    expect(TEXT.encode("a\ud83d")).toBe("a.fffd.");
  });
});
