/**
 * The plug-in of reveal.js, for figures in slides. It defines the elements, gives figures the space
 * that their slide has left and the colours that its background needs, and keeps the keys and
 * strokes that a figure takes from changing the slide.
 */
import { PairFigure } from "../elements/matrix/pair-figure.js";
import { HEIGHTS, pictureIn } from "./heights.js";
import { HeadScope } from "./index.js";
import { HEIGHT } from "./attributes.js";

/** What the plug-in uses of reveal.js. */
interface Deck {
  on(name: "ready" | "slidechanged" | "resize" | "pdf-ready", act: () => void): void;
  getSlidesElement(): HTMLElement;
  getSlides(): HTMLElement[];
  getConfig(): { height: number | string };
  /** Puts the slide into the middle again. */
  layout(): void;
}

interface RevealPlugin {
  id: string;
  init(deck: Deck): void;
}

const FIGURES = Object.keys(HEIGHTS).join(",");
/** Half of the brightest sum of red, green and blue. */
const HALF_BRIGHT = 382;

/** `Reveal.initialize({ plugins: [Headscope] })` */
export default function Headscope(): RevealPlugin {
  return {
    id: "headscope",
    init: (deck) => {
      // reveal.js listens to the whole document.
      deck.getSlidesElement().addEventListener("keydown", keepKeys);
      const lay = (): void => {
        for (const slide of deck.getSlides()) {
          slide.style.colorScheme = isDark(slide) ? "dark" : "light";
          fit(slide, figuresIn(slide), Number(deck.getConfig().height));
        }
      };
      for (const name of ["ready", "slidechanged", "resize", "pdf-ready"] as const)
        deck.on(name, lay);
      // A figure has its height only once it is drawn.
      const grown = new ResizeObserver(() => deck.layout());
      deck.on("ready", () => {
        for (const figure of figuresIn(deck.getSlidesElement())) grown.observe(figure);
      });
    },
  };
}

/** The figures of a slide or of all; none of them turns a swipe into another slide. */
function figuresIn(place: Element): HTMLElement[] {
  const figures = [...place.querySelectorAll<HTMLElement>(FIGURES)];
  for (const one of figures) one.setAttribute("data-prevent-swipe", "");
  return figures;
}

/** A key that a figure took is not also a key of the slides; an explorer has keys of its own. */
function keepKeys(event: KeyboardEvent): void {
  const { target } = event;
  const isFigure = target instanceof Element && target.matches(FIGURES);
  if (target instanceof HeadScope || (isFigure && event.defaultPrevented)) event.stopPropagation();
}

/** Whether a slide has a dark background: then its text is bright. */
function isDark(slide: HTMLElement): boolean {
  const parts = getComputedStyle(slide).color.match(/[\d.]+/g) ?? [];
  const [red = 0, green = 0, blue = 0] = parts.map(Number);
  return red + green + blue > HALF_BRIGHT;
}

/**
 * Gives figures without a height of their own in equal parts what else is in their slide leaves
 * free. A hidden slide waits.
 */
function fit(slide: HTMLElement, figures: readonly HTMLElement[], height: number): void {
  const grown = figures.filter((figure) => !figure.hasAttribute(HEIGHT));
  if (grown.length === 0 || slide.offsetHeight === 0) return;
  const taken = grown.reduce((sum, figure) => sum + figure.offsetHeight, 0);
  const share = (height - (slide.scrollHeight - taken)) / grown.length;
  for (const figure of grown) if (figure instanceof PairFigure) figure.highest = pictureIn(share);
}
