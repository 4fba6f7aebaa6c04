import { describe, expect, it, vi } from "vitest";
import { DEFAULT_STATE } from "../../state/index.js";
import { NoticeBoard } from "./notice-board.js";

const keysOf = ({ list }: NoticeBoard): string[] => list.map(({ key }) => key);

describe("the notices", () => {
  it("are there once each, the newest last, until they are taken", () => {
    const changed = vi.fn();
    const board = new NoticeBoard(changed);
    board.post("notice.restarted");
    board.post("bar.linkFailed");
    board.post("notice.restarted");
    expect(keysOf(board)).toEqual(["bar.linkFailed", "notice.restarted"]);
    board.take("bar.linkFailed");
    expect(keysOf(board)).toEqual(["notice.restarted"]);
    expect(changed).toHaveBeenCalledTimes(4);
  });

  it("say what of a link could not be read", () => {
    const board = new NoticeBoard(() => undefined);
    board.report({ state: DEFAULT_STATE, said: [], unread: [], newer: false });
    expect(board.list).toEqual([]);
    board.report({ state: DEFAULT_STATE, said: [], unread: ["layer", "edits"], newer: true });
    expect(board.list).toEqual([
      { key: "notice.hashVersion", values: {}, code: "link/newer" },
      { key: "notice.hash", values: { fields: "layer, edits" }, code: "link/unread" },
    ]);
    board.report({ state: DEFAULT_STATE, said: [], unread: ["#"], newer: false });
    expect(board.list).toEqual([{ key: "notice.hashTooLong", values: {}, code: "link/too-long" }]);
    board.report({ state: DEFAULT_STATE, said: [], unread: [], newer: false });
    expect(board.list).toEqual([]);
  });

  it("say what else of it cannot be once that is known, each once, and of that link alone", () => {
    const board = new NoticeBoard(() => undefined);
    const fields = (): string | undefined => board.list.at(-1)?.values.fields;
    board.report({ state: DEFAULT_STATE, said: [], unread: ["layer"], newer: false });
    board.reportMore(["labs: dim"]);
    board.reportMore(["labs: dim"]);
    expect(fields()).toBe("layer, labs: dim");
    board.report({ state: DEFAULT_STATE, said: [], unread: [], newer: false });
    board.reportMore([]);
    expect(board.list).toEqual([]);
    board.reportMore(["labs: seed"]);
    expect([fields(), board.list.length]).toEqual(["labs: seed", 1]);
  });

  it("offer a file once when a link is too short, also after it was dismissed, and take it back when it fits", () => {
    const board = new NoticeBoard(() => undefined);
    board.followLength(false);
    expect(board.list[0]?.action?.command).toBe("save-page");
    board.take("notice.noLink");
    board.followLength(false);
    expect(board.list).toEqual([]);
    board.offerFile();
    board.followLength(true);
    expect(board.list).toEqual([]);
    board.followLength(false);
    expect(keysOf(board)).toEqual(["notice.noLink"]);
  });
});
