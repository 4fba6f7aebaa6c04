import type { ReactiveElement } from "lit";
import type { StepCell } from "../data/index.js";
import { Loader } from "../views/run/loader.js";
import type { Shown } from "./subject.js";

/** Explains the numbers of a block's steps under the pointer, and the held one again when it has left them. */
export class NumberReader {
  private shown: Shown | null = null;
  private hovered: StepCell | null = null;
  private readonly read: Loader<{ shown: Shown; properties: object }>;

  /** `told` hears why a number could not be explained, and null when one is. */
  constructor(
    private readonly host: ReactiveElement,
    private readonly told: (failure: unknown) => void,
  ) {
    this.read = new Loader(() => this.put());
  }

  want(shown: Shown, hovered: StepCell | null): void {
    this.shown = shown;
    this.hovered = hovered;
    const { run, head } = shown;
    this.read.want(JSON.stringify(hovered), async () => {
      if (!hovered) return { shown, properties: shown.properties };
      const { explained } = await import("./answer.js");
      return { shown, properties: (await explained(run, head, hovered)) ?? {} };
    });
  }

  /** Reads the number that was asked for last once more. */
  again(): void {
    this.read.forgive();
    if (this.shown) this.want(this.shown, this.hovered);
  }

  /** Another picture comes on the screen: what is still being read is not of it. */
  forget(): void {
    this.shown = null;
    this.read.clear();
  }

  private put(): void {
    const { value, failure } = this.read;
    if (failure === null && value !== null && value.shown === this.shown)
      Object.assign(this.host, value.properties);
    if (this.shown) this.told(failure);
  }
}
