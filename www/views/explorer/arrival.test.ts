import { describe, expect, it } from "vitest";
import type { HeadRef, StepTensor, Token } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import { decodeState, type State } from "../../state/index.js";
import type { Looked } from "../run/looked.js";
import { Arrival, type There } from "./arrival.js";
import { NoticeBoard } from "./notice-board.js";

const SHOWN: HeadRef = { stack: "encoder", layer: 2, head: 3 };
const tokens = (count: number): Token[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    text: "a",
    word: id,
    special: false,
    role: null,
  }));
const looked = { figures: { queries: tokens(4), keys: tokens(4) } } as Looked;
const there = (chosen: HeadRef | null = SHOWN): There => ({
  chosen,
  looked,
  sourceTokens: 4,
  targetTokens: 0,
});

function codesOf(
  address: string,
  chosen: HeadRef | null,
  later: Partial<State> = {},
): (string | undefined)[] {
  const board = new NoticeBoard(() => undefined);
  const arrival = new Arrival(board);
  const decoded = decodeState(address);
  arrival.expect(decoded, decoded.state);
  arrival.follow({ ...decoded.state, ...later }, there(chosen));
  return board.list.map(({ code }) => code);
}

describe("what a link asks for and is not there", () => {
  it("is said of a stack, a layer and a head that the link names", () => {
    expect(codesOf("stack=cross&layer=3&head=4", SHOWN)).toEqual(["place/stack"]);
    expect(codesOf("stack=encoder&layer=9&head=4", SHOWN)).toEqual(["place/head"]);
    expect(codesOf("stack=encoder&layer=3&head=12", SHOWN)).toEqual(["place/head"]);
    expect(codesOf("stack=encoder&layer=3&head=4", SHOWN)).toEqual([]);
  });

  it("is nothing that it did not say: another model has other heads by itself", () => {
    expect(codesOf("model=models/tiny-bert", SHOWN)).toEqual([]);
  });

  it("is said of a pair and of tokens beyond the text", () => {
    expect(codesOf("cell=5-1", null)).toEqual(["place/held"]);
    expect(codesOf("cell=4-4", null)).toEqual([]);
  });

  it("is said of a number that the steps of the block do not have", async () => {
    const steps = [
      {
        step: "query",
        tensor: { data: new Float32Array(8), shape: [4, 2], axes: ["position", "model_dim"] },
      },
    ] satisfies StepTensor[];
    const codes = async (
      address: string,
      later: Partial<State> = {},
      read = Promise.resolve<StepTensor[]>(steps),
    ): Promise<(string | undefined)[]> => {
      const board = new NoticeBoard(() => undefined);
      const arrival = new Arrival(board);
      const decoded = decodeState(address);
      const figures = {
        ...looked.figures,
        run: { steps: () => read } as Partial<Run> as Run,
        head: SHOWN,
      };
      arrival.expect(decoded, decoded.state);
      arrival.follow(decoded.state, { ...there(null), looked: { ...looked, figures } });
      arrival.follow({ ...decoded.state, ...later }, there(null));
      await new Promise((resolve) => setTimeout(resolve));
      return board.list.map(({ code }) => code);
    };
    expect(await codes("picture=steps&number=query.4-2")).toEqual([]);
    expect(await codes("picture=steps&number=query.999-999")).toEqual(["place/number"]);
    expect(await codes("picture=steps&number=key.1-1")).toEqual(["place/number"]);
    // Where no number is shown none is missed; nor one that the reader let go of, or that could not be read.
    expect(await codes("picture=heatmap&number=query.999-999")).toEqual([]);
    expect(await codes("picture=steps&number=query.999-999", { number: null })).toEqual([]);
    expect(
      await codes("picture=steps&number=query.999-999", {}, Promise.reject(new Error("gone"))),
    ).toEqual([]);
  });

  it("is no matter any more once the reader asked for something else", () => {
    expect(codesOf("stack=encoder&layer=9&head=4", SHOWN, { layer: 0 })).toEqual([]);
    expect(codesOf("cell=5-1", null, { locked: null })).toEqual([]);
  });

  it("waits for a model and for its run, is said once, and forgotten with the next link", () => {
    const board = new NoticeBoard(() => undefined);
    const arrival = new Arrival(board);
    const decoded = decodeState("stack=encoder&layer=9&cell=9-9");
    arrival.expect(decoded, decoded.state);
    arrival.follow(decoded.state, { ...there(null), looked: null });
    expect(board.list).toEqual([]);
    arrival.follow(decoded.state, there());
    expect(board.list.map(({ code }) => code)).toEqual(["place/head", "place/held"]);
    board.take("notice.place.head");
    arrival.follow(decoded.state, there());
    expect(board.list.map(({ code }) => code)).toEqual(["place/held"]);
    arrival.comeBack();
    arrival.follow(decoded.state, there());
    expect(board.list).toEqual([]);
    arrival.expect(decoded, decoded.state);
    arrival.follow(decoded.state, there());
    expect(board.list).toHaveLength(2);
    const next = decodeState("");
    arrival.expect(next, next.state);
    expect(board.list).toEqual([]);
  });
});
