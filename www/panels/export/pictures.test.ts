// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_READER } from "../../../tests/support/fake-model.js";
import { ROLES, type RoleScores } from "../../data/index.js";
import { PAPER_INKS } from "../../export/sheet.js";
import { loadSentences, message } from "../../i18n/index.js";
import type { Print } from "../../draw/theme.js";
import type { Printable } from "../../elements/shared/figure.js";
import type { Snapshot } from "../../kit/save.js";
import { headLabel } from "../../session/alignment.js";
import { modelLabel } from "../../session/models/models.js";
import type { ComparedSubject, ExportSubject } from "../../session/subject.js";
import { NO_EDITS, type State } from "../../state/index.js";
import { comparedSubject, HEAD, OTHER, subjectOf, TEXT } from "./testing/subject.js";
import { type PairPart, pairParts, partState, pictureChoices } from "./pictures.js";

const PRINT: Print = { width: 1, height: 1, paint: () => undefined };
const FIGURE = { inks: PAPER_INKS, print: () => PRINT } as unknown as Printable;

beforeAll(() => loadSentences("export", "pairs", "pictures", "menus", "roles"));

const namesOf = (subject: ExportSubject): string[] =>
  pictureChoices(subject).map(({ name }) => name);

async function read(
  subject: ExportSubject,
  name = "shown",
  part: PairPart = "all",
): Promise<Snapshot> {
  const choice = pictureChoices(subject).find((one) => one.name === name);
  if (!choice) throw new Error(`${name} is not offered`);
  return choice.read(FIGURE, part);
}

const withState = <Subject extends ExportSubject>(
  subject: Subject,
  state: Partial<State>,
): Subject => ({ ...subject, state: { ...subject.state, ...state } });

describe("the pictures that can be saved", () => {
  it("are the one on the screen and those beside it, of a pinned query only if one is there", async () => {
    const beside = ["shown", "grid", "spectrum", "tokens"];
    expect(namesOf(await subjectOf())).toEqual(beside);
    const pinned = await subjectOf({ locked: { query: 1, key: 0 } });
    expect(namesOf(pinned)).toEqual([...beside, "strongest"]);
    expect(namesOf(await subjectOf({ locked: { query: 9, key: 0 } }))).toEqual(beside);
    expect(namesOf(await comparedSubject())).toEqual(beside);
    expect(namesOf(await comparedSubject((words) => words.slice(0, 1))).at(-1)).toBe("cosines");
  });

  it("have the code of an embed where there is one: a translator has the tokens of two texts", async () => {
    const codes = (subject: ExportSubject): unknown[] =>
      pictureChoices(subject).map(({ code }) => code);
    const subject = await subjectOf({ locked: { query: 1, key: 0 } });
    expect(codes(subject)).toEqual(["picture", "grid", "spectrum", "both-tokens", null]);
    const reader = await subjectOf({}, { info: FAKE_READER, head: { ...HEAD, layer: 0 } });
    expect(codes(reader).at(-1)).toBe("tokens");
  });

  it.each<[string, Partial<State>, string, object]>([
    ["a pattern", { stage: "scores" }, "stage.scores", { quantity: "scores", ...HEAD }],
    ["lines", { picture: "lines" }, "export.lines", { quantity: "lines", ...HEAD }],
  ])("name the head of %s", async (_, state, what, provenance) => {
    const shown = await read(await subjectOf(state));
    const place = { stack: message("stack.encoder"), layer: 2, head: 3 };
    const words = message(what as "export.lines");
    expect(shown.title).toBe(message("export.title", { ...place, what: words }));
    expect(shown.provenance).toMatchObject({ ...provenance, text: TEXT });
  });

  it.each(["positions", "layers"] as const)(
    "name the stack of %s, which belong to no head",
    async (picture) => {
      const { title, provenance } = await read(await subjectOf({ picture }));
      const stack = picture === "layers" ? "decoder" : "encoder";
      expect(title).toBe(message(`export.${picture}`, { stack: message(`stack.${stack}`) }));
      expect(provenance).toMatchObject({ quantity: picture, stack, layer: null, head: null });
    },
  );

  it("name all heads of lines that are drawn together", async () => {
    const subject = await subjectOf({ picture: "lines" });
    const { weights } = subject.figures.stages;
    const patterns = [2, 0, 5].map((head) => ({ head, weights }));
    const beside = { ...subject, figures: { ...subject.figures, patterns } };
    const { title, provenance } = await read(beside);
    expect(title).toMatch(/3, 1, 6/);
    expect(provenance).toMatchObject({ beside: [0, 5] });
  });

  it("say how the picture differs from the run's own numbers", async () => {
    const { lines, provenance } = await read(await subjectOf({ specials: "hidden" }));
    const same = await read(await subjectOf());
    expect(lines?.length).toBe((same.lines?.length ?? 0) + 1);
    expect(lines?.slice(1)).toEqual(same.lines);
    expect([provenance.view, same.provenance.view]).toEqual([
      { unit: "token", specialTokens: "hidden", renormalisedWithout: null },
      null,
    ]);
  });

  it("show the keys of the pinned query", async () => {
    const subject = await subjectOf({ locked: { query: 1, key: 0 } });
    const { title, provenance } = await read(subject, "strongest");
    expect(title).toContain(message("export.strongest", { query: "small" }));
    expect(provenance).toMatchObject({ quantity: "strongest-keys-2", ...HEAD });
  });

  it("show all heads in their order, with the reason of the order", async () => {
    const plain = await read(await subjectOf(), "grid");
    const sorted = await read(await subjectOf({ headSort: "divergence" }), "grid");
    const filtered = await read(await subjectOf({ roleFilter: "previous" }), "grid");
    expect(plain.title).toBe(
      message("export.titleStack", {
        stack: message("stack.encoder"),
        what: message("export.other.grid"),
      }),
    );
    expect(plain.provenance).toMatchObject({
      quantity: "all-heads",
      stack: "encoder",
      layer: null,
    });
    expect(sorted.lines?.length).toBe((plain.lines?.length ?? 0) + 1);
    const role = `${message("order.filter")}: ${message("role.previous")}`;
    expect(filtered.lines).toContain(role);
    expect(plain.lines?.join()).not.toContain(message("order.filter"));
    const without = await read(await subjectOf({ roleFilter: "none" }), "grid");
    expect(without.lines).toContain(`${message("order.filter")}: ${message("roles.none")}`);
  });

  it("say on which texts the roles of heads were measured, where those are others", async () => {
    const subject = await subjectOf({ headSort: "induction" });
    const none = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as unknown as RoleScores;
    const scores = Array.from({ length: 3 }, () => Array<RoleScores>(8).fill(none));
    const texts = { name: "mine.txt", count: 7, failed: 0 };
    const studied: ExportSubject = { ...subject, knownRoles: { basis: "sample", scores, texts } };
    const words = message("studies.on", texts);
    expect((await read(studied, "grid")).lines).toContain(words);
    expect((await read(subject, "grid")).lines?.join()).not.toContain("mine.txt");
  });

  it.each(["spectrum", "tokens"])("show the %s", async (name) => {
    const { provenance, scene } = await read(await subjectOf(), name);
    const isOfHead = name === "spectrum";
    expect(provenance).toMatchObject({
      quantity: isOfHead ? "singular-values" : "tokens",
      head: isOfHead ? HEAD.head : null,
    });
    expect(scene?.(PAPER_INKS)?.height).toBeGreaterThan(0);
  });
});

describe("the pictures of a comparison", () => {
  const OTHER_HEAD = { stack: "encoder", layer: 0, head: 6 } as const;
  let subject: ExportSubject & { compared: ComparedSubject };
  beforeAll(async () => {
    subject = await comparedSubject();
  });

  /** The compared subject with another head in its second picture. */
  const ofHeads = (): typeof subject => {
    const { paired } = subject.compared;
    const other = { ...paired.other, head: OTHER_HEAD };
    return { ...subject, compared: { ...subject.compared, paired: { ...paired, other } } };
  };

  it("are both, each alone, and the difference where heads have one", () => {
    const parts = (one: typeof subject): string[] => pairParts(one, one.compared);
    expect(parts(subject)).toEqual(["all", "first", "second", "difference"]);
    expect(parts(withState(subject, { picture: "lines" }))).toEqual(["all", "first", "second"]);
    const paired = { ...subject.compared.paired, shared: null };
    const apart = { ...subject, compared: { ...subject.compared, paired } };
    expect(parts(apart)).toEqual(["all", "first", "second"]);
  });

  it.each<[PairPart, string, string]>([
    ["all", "pairs.exportPicture", "weights-compared"],
    ["difference", "pairs.exportDifference", "weights-difference"],
    ["first", "pairs.exportFirst", "weights"],
    ["second", "pairs.exportSecond", "weights"],
  ])("are named for what they show: %s", async (part, title, quantity) => {
    const shown = await read(subject, "shown", part);
    const what = message(title as "pairs.exportFirst", { what: message("stage.weights") });
    const place = { stack: message("stack.encoder"), layer: 2, head: 3 };
    expect(shown.title).toBe(message("export.title", { ...place, what }));
    expect(shown.provenance.quantity).toBe(quantity);
    const text = part === "second" ? OTHER : TEXT;
    expect(shown.provenance.text).toBe(text);
    const than = text === TEXT ? OTHER : TEXT;
    expect(shown.provenance.compared).toMatchObject({ text: than, ...HEAD });
  });

  it("name both heads where these differ, but a picture alone by its own", async () => {
    const { title } = await read(ofHeads(), "shown", "all");
    expect(title).toMatch(/layer 2 · head 3 \| .+ layer 1 · head 7 · /);
    expect((await read(ofHeads(), "shown", "second")).title).toMatch(/layer 1 · head 7/);
    expect((await read(ofHeads(), "shown", "first")).title).toMatch(/layer 2 · head 3/);
  });

  it("have lines about both runs, and about the alignment only where they share axes", async () => {
    const lines = async (part: PairPart, of = subject): Promise<string[]> => [
      ...((await read(of, "shown", part)).lines ?? []),
    ];
    const aligned = message(`pairs.aligned.${subject.state.aligned}`);
    expect(await lines("difference")).toContain(aligned);
    expect(await lines("first")).not.toContain(aligned);
    expect((await lines("all")).join("\n")).toContain(OTHER);
    const edited = { ...subject, editWords: ["head 1 ablated", "head 2 ablated"] };
    const edits = message("export.edits", { edits: "head 1 ablated; head 2 ablated" });
    expect(await lines("all", edited)).toContain(edits);
    expect(await lines("all")).not.toContain(edits);
    const { compared } = subject;
    const names = { one: message("pairs.edited"), other: message("pairs.original") };
    const same = { ...compared, names, reading: { ...compared.reading, text: TEXT } };
    const original = withState({ ...subject, compared: same }, { compare: "original" });
    expect(await lines("all", original)).toContain(message("export.text", { text: TEXT }));
    expect(await lines("difference", original)).not.toContain(aligned);
  });

  it("of two heads say once what both read, and name each head once", async () => {
    const one = withState(ofHeads(), { otherText: null, otherHead: OTHER_HEAD, target: "UN TEST" });
    const names = { one: headLabel(HEAD), other: headLabel(OTHER_HEAD) };
    const reading = { ...one.compared.reading, text: TEXT };
    const heads = { ...one, target: "UN TEST", compared: { ...one.compared, names, reading } };
    const both = [
      message("model.label", { name: modelLabel(heads.state.model) }),
      message("export.text", { text: TEXT }),
      message("export.own", { text: "UN TEST" }),
    ];
    const { title, lines } = await read(heads, "shown", "all");
    const what = message("pairs.exportHeads", { what: message("stage.weights") });
    expect(title).toBe(`${names.one} | ${names.other} · ${what}`);
    expect(lines).toEqual([...both, message("pairs.signs")]);
    // A picture alone does not say in its title what it is the first of.
    expect((await read(heads, "shown", "first")).lines).toEqual([
      ...both,
      message("pairs.exportedFirst", { name: names.one }),
      message("pairs.exportedSecond", { name: names.other }),
    ]);
    // Nor does the name of a model say what both models read.
    const models = withState(heads, { otherModel: "models/tiny-bert" });
    expect((await read(models, "shown", "all")).lines).toContain(both[1]);
  });

  it("one side alone is a page of its own, with what belongs to its run", () => {
    const state = {
      target: "UNA COSA",
      masked: [1],
      locked: { query: 0, key: 0 },
      otherModel: null,
      unit: "word",
      sink: "out",
    } as const;
    const whole = withState(subject, state as Partial<State>);
    const stateOf = (part: PairPart, one = whole): State | null =>
      partState(part, one, one.compared);
    expect([stateOf("all"), stateOf("difference")]).toEqual([null, null]);
    expect(stateOf("first")).toMatchObject({
      compare: null,
      text: TEXT,
      masked: [1],
      target: "UNA COSA",
      unit: "token",
      locked: { query: 0, key: 0 },
      otherHead: null,
    });
    expect(stateOf("second")).toMatchObject({
      compare: null,
      text: OTHER,
      masked: [],
      target: null,
      locked: null,
      edits: NO_EDITS,
      ...HEAD,
    });
    const heads = withState(ofHeads(), { ...state, otherText: null });
    expect(partState("second", heads, heads.compared)).toMatchObject({
      text: TEXT,
      masked: [1],
      target: "UNA COSA",
      ...OTHER_HEAD,
    });
    const original = withState(whole, { compare: "original" });
    expect(
      partState("second", { ...original, target: "WRITTEN" }, original.compared),
    ).toMatchObject({ text: TEXT, target: "WRITTEN", model: original.state.model });
    const model = withState(whole, { otherModel: "models/tiny-bert", otherText: null });
    expect(stateOf("second", model)).toMatchObject({ model: "models/tiny-bert", masked: [] });
  });

  it("cosines of words are of one stack, or of none if they are of two", async () => {
    const words = await comparedSubject((all) => all.slice(0, 2));
    const { provenance, title, scene } = await read(words, "cosines");
    expect(provenance).toMatchObject({
      quantity: "cosines-1-2",
      stack: "encoder",
      layer: null,
      head: null,
      compared: { text: OTHER, stack: "encoder", layer: null, head: null },
    });
    expect(title).toBe(
      message("export.titleStack", {
        stack: message("stack.encoder"),
        what: message("export.other.cosines"),
      }),
    );
    expect(scene?.(PAPER_INKS)?.width).toBeGreaterThan(0);
    const [first] = words.compared.shownWords;
    const both = first ? [first, { ...first, stack: "decoder" as const }] : [];
    const two = { ...words, compared: { ...words.compared, shownWords: both } };
    const mixed = await read(two, "cosines");
    expect(mixed.provenance).toMatchObject({ stack: null, compared: { stack: null } });
    expect(mixed.title).toContain(message("stack.decoder"));
  });
});

it("a model of one text has no second list of tokens", async () => {
  const rows = async (info: typeof FAKE_INFO): Promise<number> => {
    const head = { ...HEAD, layer: 0 };
    const { scene } = await read(await subjectOf({}, { info, head }), "tokens");
    return scene?.(PAPER_INKS)?.height ?? 0;
  };
  expect(await rows(FAKE_INFO)).toBeGreaterThan(1.5 * (await rows(FAKE_READER)));
});
