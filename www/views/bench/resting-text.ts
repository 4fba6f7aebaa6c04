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

interface TextParts {
  id?: string;
  label?: string;
  placeholder?: string | undefined;
  /** Whether it has several lines. */
  long?: boolean;
}

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

  field({ id, label, placeholder, long = false }: TextParts = {}): TemplateResult {
    const text = live(this.draft ?? this.taken);
    return long
      ? html`<textarea id=${id ?? nothing} dir="auto" aria-label=${label ?? nothing} placeholder=${placeholder ?? nothing} .value=${text} @input=${this.type}></textarea>`
      : html`<input id=${id ?? nothing} type="text" dir="auto" autocomplete="off" placeholder=${placeholder ?? nothing} .value=${text} @input=${this.type} />`;
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
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const { value } = target;
    this.drop();
    this.draft = value;
    this.rest = setTimeout(() => this.put(value), REST_MILLIS);
  };
}
