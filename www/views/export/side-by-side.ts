import { measurer } from "../../elements/matrix/canvas.js";
import type { Scene } from "../../elements/shared/figure.js";
import { rowOf } from "../../export/sheet.js";

/** Pictures in a row, each under its name; null where there are none. */
export function sideBySide(pictures: readonly (readonly [name: string, scene: Scene])[]): Scene {
  return (inks) => {
    const prints = pictures.flatMap(([name, scene]) => {
      const print = scene(inks);
      return print ? [{ name, print }] : [];
    });
    if (prints.length === 0) return null;
    const part = [...new Set(prints.flatMap(({ print }) => print.part ?? []))].join("\n");
    return { ...rowOf(prints, inks, measurer), ...(part !== "" && { part }) };
  };
}
