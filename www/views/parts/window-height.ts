import type { ReactiveController, ReactiveControllerHost } from "lit";

/** The height of the window; the element renders again when it changes. */
export class WindowHeight implements ReactiveController {
  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  get height(): number {
    return window.innerHeight;
  }

  hostConnected(): void {
    window.addEventListener("resize", this.changed);
  }

  hostDisconnected(): void {
    window.removeEventListener("resize", this.changed);
  }

  private readonly changed = (): void => {
    this.host.requestUpdate();
  };
}
