import { expect, it } from "vitest";
import { Lab } from "./client.js";
import { FakeThreads } from "./testing/fake-threads.js";

const WAVES = { length: 4, dim: 8, base: 100 };
const ANSWER = { table: [4, 8, 100] };

it("the laboratories have one thread, which starts with the first question", async () => {
  const threads = new FakeThreads();
  const lab = new Lab(threads.spawn);
  expect(threads.started).toHaveLength(0);
  const answers = [lab.ask("waves", WAVES), lab.ask("waves", { ...WAVES, dim: 2 })];
  await expect(Promise.all(answers)).resolves.toMatchObject([ANSWER, { table: [4, 2, 100] }]);
  expect(threads.started).toHaveLength(1);
  expect(threads.log).toMatchObject({ labs: 2, builds: [] });
});

it("the laboratories answer the last of a burst, and no call that was stopped", async () => {
  const lab = new Lab(new FakeThreads().spawn);
  const stop = new AbortController();
  const outdated = lab.ask("waves", WAVES, { signal: stop.signal });
  stop.abort();
  await expect(outdated).rejects.toMatchObject({ code: "run/aborted" });
  await expect(lab.ask("waves", WAVES)).resolves.toMatchObject(ANSWER);
});

it("the laboratories start again after a question that their thread did not survive", async () => {
  const threads = new FakeThreads();
  const lab = new Lab(threads.spawn);
  const trapped = lab.ask("waves", { ...WAVES, length: 7 });
  await expect(trapped).rejects.toMatchObject({ code: "engine/crashed" });
  await expect(lab.ask("waves", WAVES)).resolves.toMatchObject(ANSWER);
  expect(threads.started.map(({ closed }) => closed)).toEqual([true, false]);
});
