import { css, type CSSResult } from "lit";
import { tableStyles } from "./table-styles.js";

/** The looks of a matrix figure, whatever it shows. */
export const matrixStyles: CSSResult[] = [
  tableStyles,
  css`
    .frame {
      overflow-x: auto;
      overflow-y: hidden;
    }

    /* A long text scrolls under its head; the canvases stay where they are seen. */
    .scrolled {
      overflow-y: auto;
    }

    .window {
      position: sticky;
      top: 0;
    }

    /* Two fingers are the figure's own gesture; while it shows a part, so is one. */
    .frame:not(.scrolled) .stage {
      touch-action: pan-x pan-y;
    }

    .frame.near .stage {
      cursor: grab;
      touch-action: none;
    }

    .frame.near .stage:active {
      cursor: grabbing;
    }

    /* While cells are painted, a finger paints and does not scroll. */
    .frame.painting .stage {
      cursor: crosshair;
      touch-action: none;
    }

    /* Other words and another place are laid out without the page around them. */
    .tips {
      position: absolute;
      inset: 0;
      z-index: 1;
      contain: layout size;
      pointer-events: none;
    }

    .tip {
      position: absolute;
      top: 0;
      display: flex;
      gap: 8px;
      padding: 4px 10px 5px;
      border-radius: 5px;
      background: var(--_ink);
      color: var(--_paper);
      font-size: 13px;
      line-height: 1.35;
      pointer-events: none;
      white-space: nowrap;
      /* It moves with the pointer: a layer of its own spares all the others from being laid out anew. */
      will-change: transform;
    }

    .tip b {
      flex: none;
      font-weight: 600;
    }

    .pair {
      overflow: hidden;
      text-overflow: ellipsis;
    }

    .tip .arrow {
      opacity: 0.7;
      padding: 0 2px;
    }

    .sign {
      display: inline-flex;
      gap: 8px;
      align-items: center;
    }

    .sign i {
      width: 14px;
      height: 14px;
      border: 1px solid var(--_line);
    }

    .sign .forbidden {
      background: repeating-linear-gradient(-45deg, var(--_muted) 0 1px, transparent 1px 4px);
    }

    .sign .blocked {
      border-color: var(--_accent);
      background: repeating-linear-gradient(-45deg, var(--_accent) 0 1px, transparent 1px 4px);
    }
  `,
];
