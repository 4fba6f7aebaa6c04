/** The figures of a notebook about pairs: those of the page, less what only a model can answer. */
import { HeadscopeLines } from "../elements/lines.js";
import { HeadscopeHeatmap } from "../elements/matrices.js";
import { define } from "../elements/shared/controllers.js";
import { message } from "../i18n/index.js";

/** The heatmap, whose cells cannot be blocked. */
class GivenHeatmap extends HeadscopeHeatmap {
  protected override get help(): string {
    return `${message("notebook.pairHelp")} ${message("region.help")}`;
  }
}

/** The lines, which cannot be blocked. */
class GivenLines extends HeadscopeLines {
  protected override get help(): string {
    return message("notebook.linesHelp");
  }
}

define("headscope-given-heatmap", GivenHeatmap);
define("headscope-given-lines", GivenLines);
