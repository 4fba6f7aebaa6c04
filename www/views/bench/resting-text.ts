import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { live } from "lit/directives/live.js";

/** A text is not read at every stroke, but when the keys rest. */
const REST_MILLIS = 250;

/** A text of the reader's own. What a link says takes the place of what is being typed, and is not followed by it. */
export class RestingText implements ReactiveController {
  private draft: string | null = null;
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private taken: string,
  ) {
    host.addController(this);
  }

  get value(): string {
    return this.taken;
  }

  hostDisconnected(): void {
    this.drop();
  }

  field({ id, placeholder }: { id?: string; placeholder?: string } = {}): TemplateResult {
    return html`<input id=${id ?? nothing} type="text" dir="auto" autocomplete="off" placeholder=${placeholder ?? nothing} .value=${live(this.draft ?? this.taken)} @input=${this.type} />`;
  }

  readonly put = (text: string): void => {
    this.drop();
    this.taken = text;
    this.host.requestUpdate();
  };

  private drop(): void {
    clearTimeout(this.rest);
    this.draft = null;
  }

  private readonly type = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const { value } = target;
    this.drop();
    this.draft = value;
    this.rest = setTimeout(() => this.put(value), REST_MILLIS);
  };
}
