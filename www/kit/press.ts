/** The press of the pointer on a part of the page, to which all moves of a slider belong. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class Press implements ReactiveController {
  private presses = 0;
  private pressed = false;
  private left = new AbortController();

  constructor(private readonly host: ReactiveControllerHost & EventTarget) {
    host.addController(this);
  }

  /** The number of the present press; null while the pointer is up. */
  get now(): number | null {
    return this.pressed ? this.presses : null;
  }

  hostConnected(): void {
    this.left = new AbortController();
    const { signal } = this.left;
    const press = (): void => void ([this.presses, this.pressed] = [this.presses + 1, true]);
    this.host.addEventListener("pointerdown", press, { signal });
    // An opened list swallows the end of a press.
    for (const end of ["pointerup", "pointercancel", "keydown"])
      window.addEventListener(end, () => void (this.pressed = false), { signal });
  }

  hostDisconnected(): void {
    this.left.abort();
  }
}
