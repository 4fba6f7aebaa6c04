import type { ReactiveController, ReactiveControllerHost } from "lit";
import { onLanguageChange } from "./current.js";

/** Makes a Lit element render again when the language changes. */
export class LanguageController implements ReactiveController {
  private stop: (() => void) | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    this.stop = onLanguageChange(() => {
      this.host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
  }
}
