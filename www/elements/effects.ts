// What each head recovers of the difference between two texts: layers down, heads across.
import { property } from "lit/decorators.js";
import type { Tensor } from "../data/index.js";
import type { Inks } from "../draw/theme.js";
import { HeadscopeNumbers } from "./numbers.js";
import type { MatrixContent } from "./matrix/figure.js";
import { define } from "./shared/controllers.js";

/** The recovered effects of patches as a table; works alone beside the table of numbers. */
export class HeadscopeEffects extends HeadscopeNumbers {
  /** What the numbers are of, such as both texts and the target; a part of the accessible name. */
  @property() label = "";

  protected override describe(matrix: Tensor, inks: Inks): MatrixContent {
    const content = super.describe(matrix, inks);
    const { label } = this;
    return label === "" ? content : { ...content, name: `${content.name} ${label}` };
  }
}

define("headscope-effects", HeadscopeEffects);
