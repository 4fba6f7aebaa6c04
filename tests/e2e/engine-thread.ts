import type { Page } from "@playwright/test";
import type { RunRequest } from "../../www/data/index.js";
import type { Call, LoadedInfo, Read, Reads, Reply } from "../../www/engine/protocol.js";

/** What one run was asked for, and what is read of it. */
export interface Asked {
  request: RunRequest;
  reads: readonly Read[];
}

/** What a thread answered: where a read was refused, the code. */
export interface Answered {
  info: LoadedInfo;
  /** The ids of what the model wrote, and the answers, numbers as a plain list. */
  runs: { targetIds: number[]; reads: unknown[] }[];
}

declare global {
  interface Window {
    /** The script of the engine's thread. */
    engineScript: string;
  }
}

/** Notes the address of the engine's script, which its threads are started with. */
export async function noteEngine(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = window.Worker;
    window.Worker = class extends Native {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        window.engineScript = new URL(url, document.baseURI).href;
      }
    };
  });
}

/** Asks a thread of its own, by the page's protocol, with a model on a backend. */
export function ask(
  page: Page,
  backend: "cpu" | "webgpu",
  model: string,
  asked: readonly Asked[],
): Promise<Answered> {
  return page.evaluate(
    async ({ backend, model, asked }) => {
      const worker = new Worker(window.engineScript, { type: "module" });
      let last = 0;
      const call = <Answer>(body: Call): Promise<Answer> =>
        new Promise((resolve, reject) => {
          const id = (last += 1);
          const heard = ({ data }: MessageEvent<Reply>): void => {
            if (data.kind === "fatal") reject(new Error(data.reason));
            if (!("id" in data) || data.id !== id || data.kind === "progress") return;
            worker.removeEventListener("message", heard);
            if (data.kind === "value") resolve(data.value as Answer);
            else reject(new Error(`${data.failure.code}: ${data.failure.message}`));
          };
          worker.addEventListener("message", heard);
          worker.postMessage({ kind: "call", id, call: body });
        });
      try {
        const config = await (await fetch(`${model}/config.json`)).text();
        const checkpoint = await (await fetch(`${model}/model.safetensors`)).blob();
        const info = await call<LoadedInfo>({ kind: "load", config, checkpoint, backend });
        const runs: Answered["runs"] = [];
        for (const [run, { request, reads }] of asked.entries()) {
          const { targetIds } = await call<{ targetIds: number[] }>({
            kind: "begin",
            run,
            request,
          });
          const answers: unknown[] = [];
          for (const read of reads) {
            const answer = await call<Reads[Read["what"]]["answer"]>({
              kind: "read",
              run,
              read,
            }).catch(
              (thrown: unknown) => (thrown instanceof Error ? thrown.message : "").split(": ")[0],
            );
            answers.push(
              typeof answer === "object" && answer !== null && "data" in answer
                ? { ...answer, data: Array.from(answer.data) }
                : answer,
            );
          }
          runs.push({ targetIds, reads: answers });
        }
        return { info, runs };
      } finally {
        worker.terminate();
      }
    },
    { backend, model, asked },
  );
}
