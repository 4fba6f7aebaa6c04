/** The tree of a beam search as a figure: a column for each step, the best branches at the top. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { placeWords } from "../draw/ticks.js";
import { type Inks, Pen, type Print } from "../draw/theme.js";
import { dataTable } from "../elements/matrix/table.js";
import { FigureElement, type Point } from "../elements/shared/figure.js";
import { placeIn } from "../elements/shared/zoom.js";
import type { Table } from "../export/provenance.js";
import { formatFixed, message } from "../i18n/index.js";
import { type BeamTree, branchBeside, branchTable, pathTo, type TreeBranch } from "./beam-tree.js";

const COLUMN = { width: 104, gap: 28 };
const ROW = 40;
const BOX = { width: COLUMN.width - COLUMN.gap, height: 32 };
const MARGIN = { x: 4, top: 24, bottom: 26 };
const FONT_SIZE = 12.5;
const SMALL = 11;
/** The width that the legend of a file needs. */
const LEGEND_WIDTH = 460;

/**
 * The tree of a beam search. Fires `headscope-branch` with the id of a branch that is chosen by
 * pointer or key, and `headscope-branch-hover` with one under the pointer, or null.
 */
@customElement("headscope-beam-tree")
export class HeadscopeBeamTree extends FigureElement {
  static override styles = css`
    .scroll {
      max-width: 100%;
      overflow-x: auto;
    }
    canvas {
      position: static;
      display: block;
    }
    canvas:focus-visible {
      outline: 2px solid var(--_accent);
      outline-offset: 2px;
    }
    .foot {
      justify-content: flex-start;
    }
  `;

  @property({ attribute: false }) tree: BeamTree | null = null;
  /** The branch whose path is marked. */
  @property({ attribute: false }) chosen: number | null = null;
  /** The names of branches, as the page writes tokens. */
  @property({ attribute: false }) nameOf: (branch: TreeBranch) => string = ({ token }) =>
    token.text;
  @state() private hovered: number | null = null;
  @query("canvas") private readonly canvas!: HTMLCanvasElement | null;

  protected override render(): TemplateResult | typeof nothing {
    const { tree, spoken } = this;
    if (!tree) return nothing;
    const tabled = (): TemplateResult => {
      const { columns, rows } = branchTable(tree);
      const written = rows.map((row) =>
        row.map((cell) => (typeof cell === "number" ? placeWords(cell) : cell)),
      );
      return dataTable(message("beams.tree"), columns, written);
    };
    return html`<div class="scroll">
        <canvas
          role="application"
          tabindex="0"
          aria-label=${message("beams.tree")}
          aria-describedby="help"
          @pointermove=${this.moved}
          @pointerleave=${() => this.hover(null)}
          @click=${this.clicked}
          @keydown=${this.pressed}
        ></canvas>
      </div>
      <p class="small muted">${message("beams.legend")}</p>
      ${this.renderSpoken(message("beams.keys"), spoken)} ${this.renderBelow(nothing, tabled)}`;
  }

  private get spoken(): string {
    const branch = this.tree?.branches.get(this.chosen ?? -1);
    return branch ? branchWords(branch, this.nameOf) : "";
  }

  protected override updated(): void {
    const { canvas, tree } = this;
    const print = tree && this.laidOut(tree, this.inks);
    if (!canvas || !print) return;
    Object.assign(canvas.style, { width: `${print.width}px`, height: `${print.height}px` });
    this.paintOn(canvas, print.width, print.height, ({ brush }) => print.paint(brush));
  }

  table(): Table | null {
    return this.tree && branchTable(this.tree);
  }

  /** The tree for a file, with its legend; null without one. */
  print(inks: Inks): Print | null {
    return this.tree && this.laidOut(this.tree, inks, message("beams.legend"));
  }

  private laidOut(tree: BeamTree, inks: Inks, legend = ""): Print {
    const marked = new Set(pathTo(tree, this.hovered ?? this.chosen).map(({ id }) => id));
    const below = legend === "" ? 0 : MARGIN.bottom;
    const height = MARGIN.top + tree.rows * ROW + below;
    const width = 2 * MARGIN.x + tree.steps * COLUMN.width - COLUMN.gap;
    return {
      width: legend === "" ? width : Math.max(width, LEGEND_WIDTH),
      height,
      paint: (brush) => {
        const pen = new Pen(brush, inks);
        brush.save();
        for (let step = 0; step < tree.steps; step += 1) {
          pen.words(SMALL, inks.muted);
          brush.fillText(String(step + 1), MARGIN.x + step * COLUMN.width, MARGIN.top / 2);
        }
        const all = [...tree.branches.values()];
        for (const isMarked of [false, true])
          for (const branch of all.filter(({ id }) => marked.has(id) === isMarked))
            paintLink(pen, tree, branch, isMarked);
        for (const branch of all) paintBranch(pen, branch, this.nameOf(branch), marked);
        pen.words(SMALL, inks.muted);
        brush.fillText(legend, MARGIN.x, height - MARGIN.bottom / 2);
        brush.restore();
      },
    };
  }

  private branchAt(event: MouseEvent): number | null {
    if (!this.canvas || !this.tree) return null;
    const place = placeIn(this.canvas, event);
    if (!place) return null;
    const { x, y } = place;
    const found = [...this.tree.branches.values()].find((branch) => {
      const at = cornerOf(branch);
      return x >= at.x && x < at.x + BOX.width && y >= at.y && y < at.y + BOX.height;
    });
    return found?.id ?? null;
  }

  private readonly moved = (event: PointerEvent): void => this.hover(this.branchAt(event));

  private hover(id: number | null): void {
    if (id === this.hovered) return;
    this.hovered = id;
    this.dispatchEvent(new CustomEvent("headscope-branch-hover", { detail: id }));
  }

  private readonly clicked = (event: MouseEvent): void => this.choose(this.branchAt(event));

  private readonly pressed = (event: KeyboardEvent): void => {
    const { tree, chosen } = this;
    const first = tree ? [...tree.branches.keys()][0] : undefined;
    const from = chosen ?? first;
    if (!tree || from === undefined) return;
    const next = branchBeside(tree, from, event.key);
    if (next === null) return;
    event.preventDefault();
    this.choose(next);
    const branch = tree.branches.get(next);
    if (branch) this.showColumn(branch);
  };

  /** Scrolls a branch into view. */
  private showColumn(branch: TreeBranch): void {
    const room = this.canvas?.parentElement;
    if (!room) return;
    const { x } = cornerOf(branch);
    const isLeft = x < room.scrollLeft;
    const isRight = x + BOX.width > room.scrollLeft + room.clientWidth;
    if (isLeft || isRight) room.scrollLeft = isLeft ? x : x + BOX.width - room.clientWidth;
  }

  private choose(id: number | null): void {
    if (id !== null) this.dispatchEvent(new CustomEvent("headscope-branch", { detail: id }));
  }
}

/** A branch in words: its token, its numbers and what became of it. */
export function branchWords(branch: TreeBranch, nameOf: (branch: TreeBranch) => string): string {
  return message("beams.branch", {
    step: branch.step + 1,
    token: nameOf(branch),
    own: formatFixed(branch.logProbability, 2),
    sum: formatFixed(branch.sum, 2),
    fate: message(`beams.fate.${branch.fate}`),
  });
}

const cornerOf = ({ step, row }: TreeBranch): Point => ({
  x: MARGIN.x + step * COLUMN.width,
  y: MARGIN.top + row * ROW,
});

function paintLink(pen: Pen, { branches }: BeamTree, branch: TreeBranch, isMarked: boolean): void {
  const parent = branch.parent === null ? undefined : branches.get(branch.parent);
  if (!parent) return;
  const [from, to] = [cornerOf(parent), cornerOf(branch)];
  const middle = BOX.height / 2;
  pen.line(isMarked ? pen.inks.accent : pen.inks.line, isMarked ? 2 : 1);
  pen.segments([from.x + BOX.width, from.y + middle, to.x, to.y + middle]);
}

/**
 * Paints a branch: a kept one in a full frame, a complete one in a double frame, a dropped one in a
 * dashed frame, since hue alone is not enough.
 */
function paintBranch(
  pen: Pen,
  branch: TreeBranch,
  name: string,
  marked: ReadonlySet<number>,
): void {
  const { brush, inks } = pen;
  const { x, y } = cornerOf(branch);
  const isMarked = marked.has(branch.id);
  const box = { x, y, width: BOX.width, height: BOX.height };
  pen.fill(box, inks.paper);
  pen.line(isMarked ? inks.accent : branch.fate === "dropped" ? inks.line : inks.muted, 1);
  brush.setLineDash(branch.fate === "dropped" ? [3, 3] : []);
  pen.frame(box);
  if (branch.fate === "finished") pen.frame(box, -3);
  brush.setLineDash([]);
  const ink = branch.fate === "dropped" && !isMarked ? inks.muted : inks.ink;
  pen.words(FONT_SIZE, ink, "center");
  const room = BOX.width - 10;
  brush.fillText(fitted(pen, name, room), x + BOX.width / 2, y + 10);
  pen.words(SMALL, inks.muted, "center");
  brush.fillText(formatFixed(branch.sum, 2), x + BOX.width / 2, y + 23);
}

/** A name cut to a width. */
function fitted(pen: Pen, name: string, room: number): string {
  if (pen.measure(name) <= room) return name;
  const letters = Array.from(name);
  while (letters.length > 1 && pen.measure(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("")}…`;
}
