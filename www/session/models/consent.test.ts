// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import { Explorer } from "../explorer.js";
import { answered } from "../testing/session.js";
import type { LoadModel } from "./model-pool.js";

const FAR = "https://far.example/mine/";

afterEach(() => sessionStorage.clear());

/** An explorer of an address or of attributes, and the addresses that it loads models from. */
async function opened(state: Explorer["attributes"] | string) {
  const load = vi.fn<LoadModel>(() => Promise.resolve(new FakeModel()));
  const explorer = new Explorer({ load, ...(state !== null && { state }) });
  explorer.begin();
  await answered(explorer.session);
  const { session } = explorer;
  const { consent } = session.models;
  return { session, consent, loads: () => load.mock.calls.map(([source]) => source) };
}

describe("a model that a link names", () => {
  it("is fetched once its reader agrees, and again after a reload", async () => {
    const { session, consent, loads } = await opened(`model=${FAR}&text=one+two`);
    expect([consent.asked, loads()]).toEqual([[`at/${FAR}`], []]);
    expect(session.computation.download).toEqual({ phase: "asked" });
    session.agree(`at/${FAR}`, 7);
    await answered(session);
    expect([consent.asked, loads()]).toEqual([[], [FAR]]);
    expect(session.computation.run).not.toBeNull();
    const again = await opened(`model=${FAR}`);
    expect([again.consent.asked, again.loads()]).toEqual([[], [FAR]]);
  });

  it("gives way to the bundled model, with the rest of the State, where the reader refuses", async () => {
    const { session, consent, loads } = await opened(`model=${FAR}&text=one+two&head=2`);
    session.refuse(`at/${FAR}`);
    await answered(session);
    expect(session.state).toMatchObject({ model: "models/en-fr", text: "one two", head: 1 });
    expect([consent.asked, loads()]).toEqual([[], [session.addressOf("models/en-fr")]]);
    session.command("undo");
    expect([session.state.model, consent.asked]).toEqual([`at/${FAR}`, [`at/${FAR}`]]);
  });

  it("is asked about as the second model too, and may be left", async () => {
    const { session, consent, loads } = await opened(
      `text=one&compare=other&other=two&othermodel=${FAR}`,
    );
    await vi.waitFor(() => expect(consent.asked).toEqual([`at/${FAR}`]));
    session.refuse(`at/${FAR}`);
    await answered(session);
    expect([session.state.otherModel, consent.asked]).toEqual([null, []]);
    expect(loads()).not.toContain(FAR);
  });

  it.each(["./mine/", "hub:org/name"])("%s is asked about", async (model) => {
    expect((await opened(`model=${model}`)).consent.asked).toHaveLength(1);
  });

  it.each(["./models/tiny-vit/steps/step-0/", "./opened/mine/", "./model/mine.gguf"])(
    "%s is of the page itself",
    async (model) => {
      const { consent, loads } = await opened(`model=${model}`);
      expect([consent.asked, loads().length]).toEqual([[], 1]);
    },
  );
});

it("a model on the server of the page around is fetched, and about another one is asked", async () => {
  const own = await opened({ model: "./mine/" });
  expect([own.consent.asked, own.loads()]).toEqual([[], [new URL("mine/", document.baseURI).href]]);
  const far = await opened({ model: FAR });
  expect([far.consent.asked, far.loads()]).toEqual([[`at/${FAR}`], []]);
});
