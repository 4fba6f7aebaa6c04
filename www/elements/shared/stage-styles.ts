import { css } from "lit";

/** A place that takes the pointer and the keyboard, with canvases that fill it, and the words where there is nothing to paint. */
export const stageStyles = css`
  .stage {
    position: relative;
    cursor: crosshair;
    -webkit-tap-highlight-color: transparent;
  }

  .stage:focus-visible {
    outline-offset: -2px;
  }

  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }

  .empty {
    margin: 0;
    padding: 48px 16px;
    color: var(--_muted);
    text-align: center;
  }
`;
