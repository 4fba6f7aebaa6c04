import { html, nothing, type ReactiveElement, type TemplateResult } from "lit";
import type { DirectiveResult } from "lit/directive.js";
import { Pen, type Inks } from "../../draw/theme.js";
import { LanguageController } from "../../i18n/index.js";
import { sizedBrush } from "../matrix/canvas.js";
import { numbersToggle } from "../matrix/table.js";
import { InkController, SizeController } from "./controllers.js";
import { styled, type Styles } from "./templates.js";

/** What a figure does with the pointer and the keyboard. */
interface StageListeners {
  moved: (event: PointerEvent) => void;
  left: (event: PointerEvent) => void;
  /** Where it is another matter than that the pointer leaves. */
  blurred?: (event: FocusEvent) => void;
  clicked?: (event: MouseEvent) => void;
  pressed: (event: KeyboardEvent) => void;
}

type Rendered = TemplateResult | DirectiveResult | string | typeof nothing;

/** What all figures on canvases have: inks, room, a stage for pointer and keyboard, and their numbers as a table. */
export class FigureParts {
  readonly look: InkController;
  readonly size: SizeController;
  private tabled = false;

  constructor(private readonly host: ReactiveElement) {
    this.look = new InkController(host);
    this.size = new SizeController(host);
    new LanguageController(host);
  }

  get inks(): Inks {
    return this.look.inks;
  }

  /** The place that takes the pointer and the keyboard, around `content`; `renderHelp` says what the keys do. */
  stage(name: string, on: StageListeners, style: Styles, content: TemplateResult): TemplateResult {
    return html`<div
      class="stage"
      part="picture"
      style=${styled(style)}
      role="application"
      tabindex="0"
      aria-label=${name}
      aria-describedby="help"
      @pointermove=${on.moved}
      @pointerdown=${on.moved}
      @pointerleave=${on.left}
      @blur=${on.blurred ?? on.left}
      @click=${on.clicked}
      @keydown=${on.pressed}
    >
      ${content}
    </div>`;
  }

  /** What the keys do, and what is said of the place that is looked at. */
  heard(help: string, spoken: string): TemplateResult {
    return html`<p id="help" class="heard">${help}</p>
      <p class="heard" aria-live="polite">${spoken}</p>`;
  }

  /** The line under a picture, and the table where it is folded out. */
  foot(words: Rendered, table: () => Rendered): TemplateResult {
    const toggle = (): void => {
      this.tabled = !this.tabled;
      this.host.requestUpdate();
    };
    return html`<div class="foot" part="foot">${words}${numbersToggle(this.tabled, toggle)}</div>
      ${this.tabled ? table() : nothing}`;
  }

  /** A pen on a canvas that is cleared for it; null where the browser cannot draw. */
  pen(
    canvas: HTMLCanvasElement,
    width: number,
    height: number,
  ): Pen<CanvasRenderingContext2D> | null {
    const brush = sizedBrush(canvas, width, height, this.size.ratio);
    return brush && new Pen(brush, this.inks);
  }
}

/** A lower canvas, which stays while the pointer moves, and one above it for what does not. */
export function canvases(lower: string, upper: string): TemplateResult {
  return html`<canvas class=${lower} part="canvas" aria-hidden="true"></canvas>
    <canvas class=${upper} part="canvas" aria-hidden="true"></canvas>`;
}
