import { html, nothing, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { Pen, type Inks, type Print, type PrintRoom } from "../../draw/theme.js";
import { language, message, type MessageKey } from "../../i18n/index.js";
import { sizedBrush } from "../../draw/matrix.js";
import { CheckedElement } from "./checked.js";
import { InkController, SizeController, type Sides } from "./controllers.js";
import { styled, type Styles } from "./templates.js";
import { placeIn } from "./zoom.js";

/** Lays out a picture for a file and returns its painter; null where there is none. */
export type Scene = (inks: Inks, room?: PrintRoom) => Print | null;

export interface Printable {
  readonly inks: Inks;
  print: Scene;
  /** The scene of a figure that contains the one to save. */
  snapshot?: () => Scene;
}

/**
 * The scene of a figure in its present state, painted later when fonts are loaded. A copy of the
 * figure's fields is enough, since no property of a figure is changed in place.
 */
export function sceneOf(figure: Pick<Printable, "print" | "snapshot">): Scene {
  if (figure.snapshot) return figure.snapshot();
  const copy = Object.create(
    Object.getPrototypeOf(figure) as object,
    Object.getOwnPropertyDescriptors(figure),
  ) as typeof figure;
  return (inks, room) => copy.print(inks, room);
}

export interface Point {
  x: number;
  y: number;
}

export type ClientPoint = Pick<MouseEvent, "clientX" | "clientY">;

export interface StageListeners {
  moved: (event: PointerEvent) => void;
  left: (event: PointerEvent) => void;
  /** The listener of the loss of focus; `left` by default. */
  blurred?: (event: FocusEvent) => void;
  clicked?: (event: MouseEvent) => void;
  pressed: (event: KeyboardEvent) => void;
}

/**
 * The canvas on which each picture is painted before it is copied to its place: a browser brings
 * the styles of the whole page up to date before it writes a text on a canvas of the page, and lays
 * the page out where they depend on lengths.
 */
let sheet: HTMLCanvasElement | null = null;

type Rendered = TemplateResult | DirectiveResult | string | typeof nothing;

/**
 * A figure on canvases: theme colours, size, a stage for pointer and keyboard, and its numbers as a
 * table.
 */
export abstract class FigureElement extends CheckedElement {
  @state() private tableShown = false;
  /**
   * The lower canvas, which stays while the pointer moves, and the upper one, which follows the
   * pointer.
   */
  @query(".cells") protected readonly cells!: HTMLCanvasElement | null;
  @query(".marks") protected readonly overlay!: HTMLCanvasElement | null;
  private readonly inkController = new InkController(this);
  /** The sides of the element whose size matters. */
  protected static readonly sides: Sides = "width";
  protected readonly size = new SizeController(
    this,
    () => (this.constructor as typeof FigureElement).sides,
  );

  get inks(): Inks {
    return this.inkController.inks;
  }

  protected readonly canvases = html`<canvas
      class="cells"
      part="canvas"
      aria-hidden="true"
    ></canvas>
    <canvas class="marks" part="canvas" aria-hidden="true"></canvas>`;

  protected pointOf(event: ClientPoint): Point | null {
    return this.overlay && placeIn(this.overlay, event);
  }

  /**
   * Renders the element that takes pointer and keyboard events, around `content`; `renderSpoken`
   * describes its keys.
   */
  protected renderStage(
    name: string,
    on: StageListeners,
    style: Styles,
    content: TemplateResult,
  ): TemplateResult {
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

  protected renderEmpty(key: MessageKey = "figure.empty"): TemplateResult {
    return html`<p class="empty" part="empty">${message(key)}</p>`;
  }

  protected renderSpoken(help: string, spoken: string): TemplateResult {
    return html`<p id="help" class="visually-hidden">${help}</p>
      <p class="visually-hidden" aria-live="polite">${spoken}</p>`;
  }

  protected renderBelow(
    content: Rendered,
    table: () => Rendered,
    [show, hide]: readonly MessageKey[] = ["figure.showNumbers", "figure.hideNumbers"],
  ): TemplateResult {
    const { tableShown } = this;
    const label = tableShown ? hide : show;
    return html`<div class="foot" part="foot">
        ${content}<button
          part="button"
          aria-expanded=${tableShown}
          @click=${() => (this.tableShown = !tableShown)}
        >
          ${label && message(label)}
        </button>
      </div>
      ${tableShown ? table() : nothing}`;
  }

  /** Paints the lower canvas if any of `inputs` has changed, and the upper one always. */
  protected paintLayers(
    { width, height }: { width: number; height: number },
    inputs: readonly unknown[],
    paintLower: (pen: Pen) => void,
    paintUpper: (pen: Pen) => void,
  ): void {
    const { cells, overlay, inks } = this;
    if (!cells || !overlay) return;
    const known = [cells, inks, this.size.ratio, width, height, language(), ...inputs];
    this.memo("lower", known, () => this.paintOn(cells, width, height, paintLower));
    this.paintOn(overlay, width, height, paintUpper);
  }

  protected paintOn(
    canvas: HTMLCanvasElement,
    width: number,
    height: number,
    paint: (pen: Pen<CanvasRenderingContext2D>) => void,
  ): void {
    const { ratio } = this.size;
    sheet ??= document.createElement("canvas");
    const aside = sizedBrush(sheet, width, height, ratio);
    const brush = sizedBrush(canvas, width, height, ratio);
    if (!aside || !brush) return;
    paint(new Pen(aside, this.inks));
    // Pixel by pixel.
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.drawImage(sheet, 0, 0);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
}
