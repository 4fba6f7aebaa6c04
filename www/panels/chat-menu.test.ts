// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import { stubRoom } from "../elements/testing/mount.js";
import { HeadscopeError } from "../headscope.js";
import { loadSentences, message } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import { answered, sessionOf, show } from "../session/testing/session.js";
import { HeadscopeChatMenu } from "./chat-menu.js";

beforeAll(() => loadSentences("chat"));
class Toggle extends Event {
  readonly newState = "open";
}

beforeEach(() => {
  stubRoom();
  vi.stubGlobal("ToggleEvent", Toggle);
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

interface Shown {
  session: Session;
  model: FakeModel;
  part: HeadscopeChatMenu;
  find: (selector: string) => HTMLTextAreaElement;
}

async function menu(text = "one two"): Promise<Shown> {
  const model = new FakeModel(FAKE_WRITER);
  model.hasChatTemplate = true;
  const session = await sessionOf({ model: "models/tiny-gpt", text }, model);
  const part = await show(new HeadscopeChatMenu(), session);
  const find = (selector: string): HTMLTextAreaElement => {
    const found = part.renderRoot.querySelector<HTMLTextAreaElement>(selector);
    if (!found) throw new Error(`no ${selector}`);
    return found;
  };
  const sheet = Object.assign(find("#sheet"), { hidePopover: () => undefined });
  sheet.dispatchEvent(new Toggle("toggle"));
  await part.updateComplete;
  return { session, model, part, find };
}

function type(field: HTMLTextAreaElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new Event("input"));
}

it("writes the text by the template, which is read without further special tokens", async () => {
  const { session, model, part, find } = await menu();
  expect(find("#user").value).toBe("one two");
  type(find("#system"), "be brief");
  find("#write").click();
  await vi.waitFor(() => expect(session.state.chat).toBe("on"));
  expect(session.state.text).toBe("system: be brief user: one two assistant:");
  await answered(session);
  expect(model.inputs.at(-1)).toMatchObject({ text: session.state.text, specialTokens: false });
  // One step back, and the text is the user's again.
  session.command("undo");
  expect(session.state).toMatchObject({ text: "one two", chat: "off" });
  await answered(session);
  expect(model.inputs.at(-1)).not.toHaveProperty("specialTokens");
  session.command("redo");
  await part.updateComplete;
  find("#plain").click();
  expect(session.state).toMatchObject({ text: "one two", chat: "off" });
});

it("says why the template refuses the lines, and the plain text stays", async () => {
  const { session, model, part, find } = await menu();
  const got = "Roles must alternate";
  const refused = { code: "chat/refused", doing: "", expected: "", got, message: "" };
  const template = vi.spyOn(model, "chatText").mockRejectedValue(new HeadscopeError(refused));
  find("#write").click();
  const alert = (): string => find("[role=alert]").textContent;
  await vi.waitFor(() => expect(alert()).toBe(message("chat.refused", { got })));
  expect(session.state).toMatchObject({ text: "one two", chat: "off" });
  template.mockRejectedValue(
    new HeadscopeError({ ...refused, code: "chat/unsupported", got: "the filter `batch`" }),
  );
  find("#write").click();
  const words = message("chat.unsupported", { got: "the filter `batch`" });
  await part.updateComplete;
  await vi.waitFor(() => expect(alert()).toBe(words));
});
