import type { Tensor } from "../../data/index.js";
import { formatNumber, message } from "../../i18n/index.js";

/** What the axes of a picture of positions are called: relative ones are numbers of heads by distance. */
export class PositionWords {
  private readonly relative: boolean;
  private readonly count: number;

  constructor({ axes, shape }: Pick<Tensor, "axes" | "shape">) {
    this.relative = axes[0] === "distance";
    this.count = shape[0] ?? 0;
  }

  get rows(): string {
    return message(this.relative ? "figure.distance" : "figure.position");
  }

  get columns(): string {
    return message(this.relative ? "figure.head" : "figure.dimension");
  }

  get waves(): string {
    return message(this.relative ? "figure.wavesOfHeads" : "figure.waves");
  }

  /** A row as it is counted: of distances as many back as forth, and 0 between them. */
  rowNumber(row: number): string {
    return formatNumber(this.relative ? row - (this.count - 1) / 2 : row + 1);
  }

  column(column: number): string {
    return `${this.columns} ${formatNumber(column + 1)}`;
  }

  cell(row: number, column: number, value: string): string {
    if (!this.relative)
      return message("figure.positionCell", { position: row + 1, dimension: column + 1, value });
    return message("figure.distanceCell", {
      distance: this.rowNumber(row),
      head: column + 1,
      value,
    });
  }

  name(rows: number, columns: number): string {
    if (this.relative)
      return message("figure.relative", {
        distances: formatNumber(rows),
        heads: formatNumber(columns),
      });
    return message("figure.positions", {
      positions: formatNumber(rows),
      dimensions: formatNumber(columns),
    });
  }
}
