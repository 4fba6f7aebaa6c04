/** The figures of a notebook: those of the page, less what only a model can answer. */
import { css } from "lit";
import { HeadscopeGrid } from "../elements/grid/element.js";
import { HeadscopeLines } from "../elements/lines.js";
import { HeadscopeHeatmap } from "../elements/matrices.js";
import { define } from "../elements/shared/controllers.js";
import { message } from "../i18n/index.js";

/** The grid without its buttons for ablation. */
class GivenGrid extends HeadscopeGrid {
  static override styles = [
    HeadscopeGrid.styles,
    css`
      .ablate {
        display: none;
      }
    `,
  ];

  protected override get help(): string {
    return message("notebook.gridHelp");
  }
}

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

define("headscope-given-grid", GivenGrid);
define("headscope-given-heatmap", GivenHeatmap);
define("headscope-given-lines", GivenLines);
