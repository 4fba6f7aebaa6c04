// Curves apart from the page: the painters of the screen, at a size of their own.
import { heightFor, layoutCurves, type CurvesScene } from "../../draw/curves.js";
import { curvesFont, paintCurves } from "../../draw/curves-paint.js";
import type { Print } from "../../draw/print.js";
import { beginWords } from "../../draw/text.js";
import type { Inks } from "../../draw/theme.js";
import { measurer } from "../matrix/canvas.js";

const WIDTH = 640;
const HEIGHT = 360;
const TITLE_HEIGHT = 22;

export function printCurves(scene: CurvesScene, inks: Inks): Print {
  const { font, size } = curvesFont(inks);
  const height = Math.max(HEIGHT, heightFor(scene));
  const layout = layoutCurves(scene, WIDTH, height, measurer(font, size));
  return {
    width: WIDTH,
    height: height + TITLE_HEIGHT,
    paint: (brush) => {
      brush.save();
      beginWords(brush, font, inks.muted);
      brush.fillText(scene.titles.y, 0, TITLE_HEIGHT / 2);
      brush.translate(0, TITLE_HEIGHT);
      paintCurves(brush, layout, scene, inks);
      brush.restore();
    },
  };
}
