// @vitest-environment happy-dom
// What is dropped on the page, and where.
import { afterEach, expect, it, vi } from "vitest";
import { Session } from "../session/session.js";
import { sessionWith, show } from "../session/testing/session.js";
import { HeadscopeDropTarget } from "./page-frame.js";

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  Reflect.deleteProperty(HTMLElement.prototype, "showPopover");
});

const fileNamed = (name: string, type = ""): File => new File(["text"], name, { type });

/** An event of a drag over the page with what is dragged. */
function dragged(name: string, files: readonly File[], related: Element | null = null): Event {
  const items = files.map((file) => ({
    kind: "file",
    webkitGetAsEntry: () => null,
    getAsFile: () => file,
  }));
  const types = files.length > 0 ? ["Files"] : ["text/plain"];
  const event = new Event(name, { bubbles: true, composed: true, cancelable: true });
  return Object.assign(event, { dataTransfer: { types, items }, relatedTarget: related });
}

/** The page, and what its session was asked to open. */
async function opened(): Promise<{ target: HeadscopeDropTarget; asked: unknown[][] }> {
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined });
  const asked: unknown[][] = [];
  const session = sessionWith();
  for (const name of ["openImage", "openPicked", "study", "openText"] as const)
    vi.spyOn(Session.prototype, name).mockImplementation((...given: unknown[]) => {
      const files = given.flat().map((one) => (one instanceof File ? one.name : one));
      asked.push([name, ...files]);
      return Promise.resolve();
    });
  vi.spyOn(session.links, "openFile").mockImplementation((file) => {
    asked.push(["openFile", file.name]);
    return Promise.resolve();
  });
  return { target: await show(new HeadscopeDropTarget(), session), asked };
}

it.each([
  ["an image", [fileNamed("cat.png", "image/png")], ["openImage", "cat.png"]],
  ["a study", [fileNamed("heads.jsonl")], ["openPicked", "heads.jsonl"]],
  ["a text", [fileNamed("book.txt", "text/plain")], ["openText", "book.txt"]],
  ["a saved page", [fileNamed("page.json")], ["openFile", "page.json"]],
  ["files", [fileNamed("a.bin"), fileNamed("b.bin")], ["openPicked", "a.bin", "b.bin"]],
] as const)("a drop of %s is opened as such", async (_, files, call) => {
  const { asked } = await opened();
  const event = dragged("drop", files);
  document.body.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(asked).toEqual([call]));
});

it("a text that is dropped on the heads is studied", async () => {
  const { asked } = await opened();
  const heads = document.createElement("headscope-heads-panel");
  document.body.append(heads);
  heads.dispatchEvent(dragged("drop", [fileNamed("book.txt", "text/plain")]));
  await vi.waitFor(() => expect(asked).toEqual([["study", "compute", "book.txt"]]));
});

it("a target is shown while files are over the page, and not for words", async () => {
  const { target } = await opened();
  const file = [fileNamed("a.bin")];
  const over = async (event: Event): Promise<[boolean, boolean]> => {
    document.body.dispatchEvent(event);
    await target.updateComplete;
    return [target.renderRoot.querySelector("p") !== null, event.defaultPrevented];
  };
  expect(await over(dragged("dragover", []))).toEqual([false, false]);
  expect(await over(dragged("dragover", file))).toEqual([true, true]);
  // From one element to another within the page, then out of it.
  expect(await over(dragged("dragleave", file, document.body))).toEqual([true, false]);
  expect(await over(dragged("dragleave", file))).toEqual([false, false]);
  expect(await over(dragged("dragleave", file, document.body))).toEqual([false, false]);
  await over(dragged("dragover", file));
  expect(await over(dragged("drop", file))).toEqual([false, true]);
  target.remove();
  expect(await over(dragged("dragover", file))).toEqual([false, false]);
});
