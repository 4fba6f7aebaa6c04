import {
  html,
  type LitElement,
  type nothing,
  type ReactiveController,
  type TemplateResult,
} from "lit";
import { onArrival, type Later } from "./later.js";
import "./status.js";

/** Places in an element that are taken by what is fetched later: it renders again when a part arrives. */
export class LaterPlaces implements ReactiveController {
  private stop: (() => void) | undefined;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.stop = onArrival(() => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
  }

  /** What the part makes; until it is here, the place of so many pixels that says so. */
  show<Part>(
    later: Later<Part>,
    made: (part: Part) => TemplateResult | typeof nothing,
    room = 0,
  ): TemplateResult | typeof nothing {
    const part = later.want();
    return part === null
      ? html`<headscope-later-status .failure=${later.failure} .again=${() => void this.again(later)} .room=${room}></headscope-later-status>`
      : made(part);
  }

  /** With the button that was pressed goes the keyboard: to what has come. */
  private async again(later: Later<unknown>): Promise<void> {
    await later.come();
    await this.host.updateComplete;
    if (!later.failure) this.host.focus();
  }
}
