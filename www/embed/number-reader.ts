import type { ReactiveElement } from "lit";
import type { HeadRef, StepCell } from "../data/index.js";
import type { Run } from "../headscope.js";
import { Loader } from "../views/run/loader.js";
import type { Reading } from "./subject.js";

/** What a figure has on the screen. */
export interface Shown extends Reading<object> {
  run: Run;
  head: HeadRef;
}

/** Explains the numbers of a block's steps under the pointer, and the held one again when it has left them. */
export class NumberReader {
  private shown: Shown | null = null;
  private readonly read: Loader<{ shown: Shown; properties: object }>;

  constructor(private readonly host: ReactiveElement) {
    this.read = new Loader(() => this.put(), (thrown) => reportError(thrown));
  }

  want(shown: Shown, hovered: StepCell | null): void {
    this.shown = shown;
    const { run, head } = shown;
    this.read.want(JSON.stringify(hovered), async () => {
      if (!hovered) return { shown, properties: shown.properties };
      const { explained } = await import("./answer.js");
      return { shown, properties: (await explained(run, head, hovered)) ?? {} };
    });
  }

  /** Another picture comes on the screen: what is still being read is not of it. */
  forget(): void {
    this.shown = null;
    this.read.clear();
  }

  private put(): void {
    const { value } = this.read;
    if (value !== null && value.shown === this.shown) Object.assign(this.host, value.properties);
  }
}
