import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import recorded from "../../tests/golden/states.json" with { type: "json" };
import { decodeFile, encodeFile } from "./file.js";
import {
  decodeAttributes,
  decodeState,
  encodeAttributes,
  encodeShort,
  encodeState,
  LONGEST_LINK,
  STATE_ATTRIBUTES,
  unreadAttribute,
} from "./link.js";
import { DEFAULT_STATE, editLists, type State, TOUR } from "./index.js";
import { MOST_CELLS, packCells, unpackCells } from "./json.js";

describe("the address of a State", () => {
  it.each<[state: Partial<State>, address: string]>([
    [{}, "v=1"],
    [
      { text: "The dog bites.", layer: 0, locked: { query: 4, key: 6 } },
      "v=1&text=The+dog+bites.&layer=1&cell=5-7",
    ],
    [
      { edits: editLists({ heads: [{ layers: [0, 1], gate: 0.5 }] }) },
      "v=1&edits={'heads':[{'layers':[0,1],'gate':0.5}]}",
    ],
    [
      { sampling: { temperature: 0.8, top_k: 0, top_p: 0.95, min_p: 0, seed: 7 } },
      "v=1&sampling=temperature-0.8,top_p-0.95,seed-7",
    ],
    // A folder of the user's disk is in no link.
    [{ model: "opened/my-gpt", text: "Hello" }, "v=1&text=Hello"],
    [
      { model: "at/https://a.org/my-gpt/?v=1", otherModel: "at/org/name" },
      "v=1&model=https://a.org/my-gpt/%3Fv%3D1&othermodel=hub:org/name",
    ],
    [{ model: "at/org/name/a.gguf" }, "v=1&model=hub:org/name/a.gguf"],
    // A password is given to nobody, and what stands above the page is not found from elsewhere.
    [{ model: "at/https://me:word@a.org/m/", otherModel: "at/../mine/" }, "v=1&othermodel="],
    [
      { model: "at/./models/我的 GPT/", otherModel: "at/./a.gguf" },
      "v=1&model=./models/%E6%88%91%E7%9A%84+GPT/&othermodel=./a.gguf",
    ],
  ])("of %j is short and readable", (state, address) => {
    expect(encodeState({ ...DEFAULT_STATE, ...state })).toBe(address);
  });

  it.each(["hub:org/name", "hub:org/name/a.gguf", "https://a.org/m", "http://[::1]:8/a.gguf?v=1"])(
    "names the model %s, as it is written",
    (name) => {
      const { state, unread } = decodeState(`model=${name}&othermodel=${name}`);
      const model = `at/${name.replace("hub:", "")}`;
      expect([state.model, state.otherModel, unread]).toEqual([model, model, []]);
      expect(decodeState(encodeState(state)).state).toEqual(state);
    },
  );

  it("packs painted cells, and reads them unpacked and in JSON's own quotes too", () => {
    const block = Array.from({ length: 1200 }, (_, place): [number, number] => [
      3 + Math.floor(place / 30),
      place % 30,
    ]);
    const edits = { masks: [{ stack: "cross" as const, block }] };
    const state: State = { ...DEFAULT_STATE, edits: editLists(edits) };
    const address = encodeState(state);
    expect(address).toBe("v=1&edits={'masks':[{'stack':'cross','block':'*3-42:0-29'}]}");
    for (const same of [address, `edits=${encodeURIComponent(JSON.stringify(edits))}`])
      expect(decodeState(same)).toMatchObject({ state, unread: [] });
  });

  it("is cut to what a link can carry, the longest field first", () => {
    const text = "a word ".repeat(3000);
    const long = { ...DEFAULT_STATE, text, target: "un mot", layer: 0, masked: [4] };
    expect(encodeState(long).length).toBeGreaterThan(LONGEST_LINK);
    expect(encodeShort(long)).toBe("v=1&masked=5&target=un+mot&layer=1");
    expect(encodeShort({ ...long, text: "short" })).toBe(encodeState({ ...long, text: "short" }));
  });

  it("tells a bare step of the tour from a picture that is at every default on that step", () => {
    const state: State = { ...DEFAULT_STATE, tour: "softmax" };
    expect(encodeState(state)).toBe("v=1&model=models/en-fr&tour=3");
    expect(decodeState("v=1&tour=3&language=en")).toMatchObject({
      state: { tour: "softmax" },
      named: ["tour", "language"],
    });
  });

  it("keeps half a character from breaking it", () => {
    const half = encodeState({ ...DEFAULT_STATE, text: "a\uD800b" });
    expect(decodeState(half).state.text).toBe("a\uFFFDb");
  });
});

it.each(["", "seed", "seed--1", "seed-x", "temperature-1e9", "top_k-5,beams-4"])(
  "settings of sampling as “%s” are no settings, and are named",
  (text) => {
    expect(decodeState(`v=1&sampling=${text}`)).toMatchObject({
      state: { sampling: null },
      unread: ["sampling"],
    });
  },
);

/** Edits of another shape, by their list, and texts that are none. */
const REFUSED = {
  heads: `{} {'gate':null} {'gate':1e999} {'gate':1,'__proto__':{}} {'gate':1,'layers':[]}
    {'gate':1,'heads':[-1]} {'gate':1,'heads':[1.5]} {'gate':1,'stack':'memory'}
    {'pattern':'sideways'} {'pattern':'*'} {'pattern':[]} {'pattern':[[1,2],[3]]}`,
  masks: `{'mode':'or'} {'block':[[1]]} {'block':[[0,-1]]} {'block':'*AAAA'} {'allow':'*not+packed'}
    {'fill':1} {'preset':{'kind':'windows'}} {'preset':{'kind':'window'}}
    {'preset':{'kind':'global','width':1,'tokens':[-1]}} {'mode':'and+not','preset':{'kind':'none'}}`,
  blocks: `{'layers':[1]} {'norm':'left'} {'stack':'cross','norm':'pre'} {'norm':'pre','heads':[1]}
    {'residual':false,'sublayers':['x']}`,
  attention: `{'kind':'quadratic'} {'kind':'sliding','parameters':{'rank':3}}
    {'kind':'sliding','parameters':{'width':1e9}} {'kind':'linear','temperature':2} {'scale':-1}
    {'dropout':{'rate':1,'seed':1}} {'dropout':[1]}`,
  positions: `{} {'stack':'cross','scheme':'none'} {'layers':[1],'scheme':'none'}
    {'scheme':'spiral'} {'scheme':'alibi','parameters':[3]} {'order':[]}`,
};
/** Edits that are refused, and where their first invalid part is. */
const NO_EDIT: readonly (readonly [text: string, place: string])[] = [
  ["c2.3x0", ""],
  ["{", ""],
  ["[]", ""],
  ["null", ""],
  ["{'surprise':[]}", ".surprise"],
  ["{'surprise':[{}]}", ".surprise"],
  ["{'__proto__':[{}]}", ".__proto__"],
  ["{'heads':{}}", ".heads"],
  ["{'heads':[1]}", ".heads[0]"],
  ["{'heads':[{'gate':0}],'patches':[{'from':{'text':'a'}}]}", ".patches[0]"],
  ...Object.entries(REFUSED).flatMap(([list, edits]) =>
    edits.split(/\s+/).map((edit) => [`{'${list}':[${edit}]}`, `.${list}[0]`] as const),
  ),
];

/** Inputs of the calculator, each with an invalid number in one place. */
const NO_NUMBERS = Object.entries({
  words: ["[]", "['a','b']", "[1]", `['${"w".repeat(41)}']`],
  x: ["[]", "[[]]", "[['x']]", "[[null]]", "[[1e999]]", "[[1,2],[1]]", `[[${"1,".repeat(256)}1]]`],
  mask: ["null", "[]", "[['-']]"],
  heads: ["0", "2", "1.5", "'1'"],
  divisor: ["0", "-1", "'Root'"],
  surprise: ["1"],
}).flatMap(([name, values]) =>
  values.map((value) => {
    const one = { words: "['w']", x: "[[1]]", query: "[[1]]", key: "[[1]]", value: "[[1]]" };
    const all = { ...one, output: "null", mask: "[[0]]", heads: "1", divisor: "'root'" };
    return `{${Object.entries({ ...all, [name]: value })
      .map(([key, text]) => `'${key}':${text}`)
      .join(",")}}`;
  }),
);

describe("a hostile address", () => {
  it.each([
    ...NO_EDIT.map(([text, place]) => [`edits=${text}`, `edits${place}`] as const),
    ...NO_NUMBERS.map((text) => [`numbers=${text}`, "numbers"] as const),
  ])("%s is named as unread: %s", (hash, name) => {
    expect(decodeState(hash)).toMatchObject({ state: DEFAULT_STATE, unread: [name] });
  });

  it("says which edit is invalid, and takes none of the others without it", () => {
    const address = "edits={'heads':[{'gate':0},{'gate':0.5},{'gate':'off'}]}";
    expect(decodeState(address)).toMatchObject({
      state: DEFAULT_STATE,
      unread: ["edits.heads[2]"],
    });
  });

  it("completes a partial attention variant", () => {
    const address = "edits={'attention':[{'kind':'sliding'},{'stack':'cross','scale':2}]}";
    expect(decodeState(address).state.edits.attention).toEqual([
      { kind: "sliding", parameters: { width: 2 } },
      { stack: "cross", kind: "softmax", scale: 2 },
    ]);
  });

  it("never throws, and what is read of it is written in an address that reads the same", () => {
    const links = recorded.links.map(({ address }) => address);
    const files = links.map((link) => encodeFile(decodeState(link).state));
    const cut = (text: string): string[] => text.match(/[\w%.+]+|./gsu) ?? [];
    const piece = fc.oneof(fc.json(), fc.constantFrom(...links.flatMap(cut)));
    const change = fc.record({ at: fc.nat(), by: piece });
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...links, ...files));
    fc.assert(
      fc.property(text, fc.array(change, { maxLength: 4 }), (good, changes) => {
        const pieces = cut(good);
        for (const { at, by } of changes) pieces[at % pieces.length] = by;
        for (const read of [decodeState, decodeFile]) {
          const decoded = read(pieces.join(""));
          if (typeof decoded === "string") continue;
          const address = encodeState(decoded.state);
          expect(encodeState(decodeState(address).state)).toBe(address);
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 100) },
    );
  });

  const nothing = { state: DEFAULT_STATE, named: [], unread: [], newer: false };

  it.each<[hash: string, state: Partial<State>]>([
    ["region=2-2x5-5", { region: { query: 1, key: 4, rows: 1, columns: 1 } }],
    ["region=1-3x4-4", { region: { query: 0, key: 3, rows: 3, columns: 1 } }],
    ["mass=1", { mass: 1 }],
    ["mass=100", { mass: 100 }],
    ["cell=1-1", { locked: { query: 0, key: 0 } }],
    ["otherhead=cross.1-1", { otherHead: { stack: "cross", layer: 0, head: 0 } }],
    ["beside=3,1,3", { beside: [2, 0] }],
    ["masked=", { masked: [] }],
    ["picked=t1,4", { picked: { side: "target", tokens: [0, 3], pool: "sum", looking: "from" } }],
    ["picked=s2.mean.to", { picked: { side: "source", tokens: [1], pool: "mean", looking: "to" } }],
    ["entry=0", { entry: 0 }],
    ["entry=99999999", { entry: 99_999_999 }],
    ["tour=1", { tour: "row" }],
    [`tour=${TOUR.length}`, { tour: TOUR.at(-1) ?? null }],
    ["lesson=dots.99", { lesson: "dots.99" }],
    ["lesson={a}.1", { lesson: "{a}.1" }],
    ["training=", { training: "" }],
  ])("is no %s, which is just within bounds", (hash, state) => {
    const read = decodeState(`#v=1&${hash}`);
    expect(read).toMatchObject({ state: { ...DEFAULT_STATE, ...state }, unread: [] });
    expect(decodeState(encodeState(read.state)).state).toEqual(read.state);
  });

  it.each(
    `layer=0 layer=-1 layer=1.5 layer=99999999999999999999 stack=memory cell=1-2-3 mass=0 mass=101
    mass=5.5 beside=1,x number=context.0-1 number=dream.1-1 number=toString.1-1 picked=x1 picked=s1,
    picked=s1.to.mean picked=s0 pairs=s1-2,t3 pairs=s0-2 region=3-2x1-1 region=1-1x3-2 region=0-1x1-1
    masked=1,0 masked=1,,2 cell=0-1 cell=1-0 otherhead=memory.1-1 otherhead=cross.0-1
    otherhead=cross.1-0 entry=-1 entry=123456789 demos=waves training=copy! lesson=dots lesson=dots.0
    lesson=dots.100 lesson={}.1 model=opened%2Fmy-gpt
    text=%E0%A4%A model=https://me@example.org/model model=https://:x@example.org/model
    model=ftp://example.org/model model=javascript:alert(1) model=data:text/plain,1
    model=file:///model model=//example.org/model model=https://a.org/m%23x model=https://
    model=hub:name model=hub:org/../name model=hub:org/name/a/b.gguf model=./ model=./../up model=./a/..
    model=./a%3Fb model=./a%5C..%5Cb model=org/name constructor=1 surprise tour=0 tour=row
    tour=${TOUR.length + 1} %%%`.split(/\s+/),
  )("%s leaves its field at its default and names it", (hash) => {
    const [name] = hash.split("=");
    expect(decodeState(`#v=1&${hash}`)).toEqual({ ...nothing, unread: [name] });
  });

  it.each<[hash: string, unread: string]>([
    ["v=1&=1", "=1"],
    [`v=1&text=${"a".repeat(100_000)}`, "#"],
    // Thousands of lists of cells, each of which takes its time.
    [`edits={'masks':[${"{'block':'*0-1048574:0-1'},".repeat(2000)}0]}`, "edits.masks[0]"],
    [`${"edits={'masks':[{'block':'*0-1023:0-1023'}]}&".repeat(1400)}edits=c`, "edits"],
    ..."v v= v=abc v=0 v=-1 v=1.5 v=1e9 v=%E0"
      .split(" ")
      .map((hash): [string, string] => [hash, "v"]),
  ])("%s has no name, is too long, or names no version", (hash, unread) => {
    expect(decodeState(`#${hash}`)).toEqual({ ...nothing, unread: [unread] });
  });

  it("of a version to come says so, and without one is read as this page's", () => {
    expect(decodeState("#v=99")).toEqual({ ...nothing, newer: true });
    expect(decodeState("#v=7&text=Hello&layer=x")).toMatchObject({
      state: { text: "Hello", layer: DEFAULT_STATE.layer },
      unread: ["layer"],
      newer: true,
    });
    expect(decodeState("#text=Hello")).toMatchObject({ state: { text: "Hello" }, newer: false });
    expect(decodeState("#")).toEqual(nothing);
  });
});

describe("the file of a State", () => {
  it("is JSON with the names of the address, and edits are the object that they are", () => {
    const edits = { heads: [{ layers: [1], gate: 0 }] };
    const own = { text: "Hello", layer: 2, edits: editLists(edits) };
    const text = encodeFile({ ...DEFAULT_STATE, ...own });
    expect(JSON.parse(text)).toEqual({ headscope: 1, state: { text: "Hello", layer: "3", edits } });
  });

  it.each([
    ["", "not-json"],
    [encodeFile({ ...DEFAULT_STATE, text: "cut short" }).slice(0, 30), "not-json"],
    ["null", "not-a-page"],
    [`{"model_type": "bert"}`, "not-a-page"],
    [`{"headscope": 1, "state": []}`, "not-a-page"],
    [`{"headscope": "1", "state": {}}`, "not-a-page"],
  ])("%s is none", (text, problem) => {
    expect(decodeFile(text)).toBe(problem);
  });

  it("keeps what is readable beside what is not, and says which", () => {
    const text = `{"headscope": 99, "image": "javascript:0", "state": {"text": "Hello", "layer": 3, "__proto__": "x", "edits": {"masks": [{"block": "*AAAA"}]}, "surprise": {}}}`;
    expect(decodeFile(text)).toEqual({
      state: { ...DEFAULT_STATE, text: "Hello" },
      named: ["text"],
      unread: ["layer", "__proto__", "edits.masks[0]", "surprise", "image"],
      newer: true,
    });
  });
});

it("a link with former names opens what it did", () => {
  const link = "v=1&hidden=2&bench=kinds&labs=waves(dim-24)kind(head-2)&sort=likeness";
  expect(decodeState(link)).toMatchObject({
    state: {
      experiment: "variants",
      demos: "waves(dim-24)variant(head-2)",
      headSort: "divergence",
    },
    unread: [],
  });
  expect(decodeState("bench=numbers").state.experiment).toBe("calculator");
});

describe("a State as attributes", () => {
  const elementWith = (attributes: Iterable<readonly [string, string]>) => {
    const written = new Map(attributes);
    return { getAttribute: (name: string): string | null => written.get(name) ?? null };
  };

  it("reads back as it was written, numbers from one as people count", () => {
    const state: State = {
      ...DEFAULT_STATE,
      model: "models/tiny-bert",
      text: 'The "dog" & <cat>',
      layer: 2,
      masked: [1, 3],
      roleFilter: "previous",
      edits: editLists({ masks: [{ stack: "encoder", layers: [2], block: [[1, 2]] }] }),
    };
    const written = encodeAttributes(state);
    const some = { layer: "3", masked: "2,4", "role-filter": "previous" };
    expect(Object.fromEntries(written)).toMatchObject(some);
    expect(decodeAttributes(elementWith(written)).state).toEqual(state);
  });

  it("has another name for role, which means something else in HTML", () => {
    expect(STATE_ATTRIBUTES).not.toContain("role");
    expect(decodeAttributes(elementWith([["role", "1"]])).named).toEqual([]);
  });

  it("names what it cannot read, takes any folder for a model, and leaves out what is asked for elsewhere", () => {
    const element = elementWith(Object.entries({ layer: "0", model: "./mine", stack: "decoder" }));
    const decoded = decodeAttributes(element, ["stack"]);
    expect(decoded.unread).toEqual(["layer"]);
    expect(decoded.state).toEqual({ ...DEFAULT_STATE, model: "at/./mine" });
    expect(unreadAttribute(element, decoded)).toEqual({ written: 'layer="0"', form: "1, 2, 3 …" });
    const readme = readFileSync("www/elements/README.md", "utf8");
    const [, documented = ""] = /^\| `edits`, .*such as `([^`]+)`/m.exec(readme) ?? [];
    expect(decodeAttributes(elementWith([["edits", documented]]))).toMatchObject({
      named: ["edits"],
      unread: [],
    });
    const edited = elementWith([["edits", "{'heads':[{}]}"]]);
    expect(unreadAttribute(edited, decodeAttributes(edited))).toMatchObject({
      written: "edits=\"{'heads':[{}]}\"",
      form: expect.stringContaining("heads") as string,
    });
  });

  it.each(["ftp://a.org/m", "https://me:word@a.org/m", "//me@a.org/m", "javascript:alert(1)"])(
    "takes no model from %s",
    (model) => {
      expect(decodeAttributes(elementWith([["model", model]])).unread).toEqual(["model"]);
    },
  );

  it("takes the id of a model on the hub with its sign and without it", () => {
    for (const model of ["hub:org/name", "org/name"])
      expect(decodeAttributes(elementWith([["model", model]])).state.model).toBe("at/org/name");
  });
});

it("packed cells come back in the order of the grid, each once", () => {
  const cell = fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 }));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 200 }), (cells) => {
      const once = new Map(cells.map((one) => [String(one), one])).values();
      const expected = [...once].sort(([q, k], [r, l]) => q - r || k - l);
      expect(unpackCells(packCells(cells), MOST_CELLS)).toEqual(expected);
    }),
  );
});

it("a rectangle and a diagonal are short", () => {
  const all = Array.from({ length: 64 }, (_, at): [number, number] => [at >> 3, at % 8]);
  expect(packCells(all)).toBe("0-7:0-7");
  expect(packCells([0, 1, 2].map((at) => [at, at]))).toBe("0:0;1:1;2:2");
});

it.each(["", "0", "0:", ":0", "0:0;", "1-0:0", "0:0-9999999", "0-2000:0-2000", "x:1", "0:-1"])(
  "%j has no cells",
  (text) => {
    expect(unpackCells(text, MOST_CELLS)).toBeUndefined();
  },
);
