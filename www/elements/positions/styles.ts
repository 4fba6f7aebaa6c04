import { css } from "lit";

export const positionsStyles = css`
  .axes {
    margin: 0 0 4px;
    color: var(--_muted);
    font-size: 11px;
  }

  .reading {
    min-height: 20px;
    margin: 8px 0 0 36px;
  }

  section {
    margin-top: 16px;
  }

  h3 {
    margin: 0 0 8px;
    font-size: 14px;
    font-weight: 600;
  }

  .wave {
    display: grid;
    grid-template-columns: 100px minmax(0, 1fr) 52px;
    gap: 12px;
    align-items: center;
    padding: 4px 0;
    color: var(--_muted);
    font-size: 12.5px;
  }

  .pointed {
    color: var(--_ink);
  }

  .reach {
    text-align: right;
  }

  svg {
    width: 100%;
    height: 40px;
    overflow: visible;
  }

  path {
    fill: none;
    stroke: var(--_bar);
    stroke-width: 1.5;
    stroke-linejoin: round;
    vector-effect: non-scaling-stroke;
  }

  .pointed .line {
    stroke: var(--_accent);
  }

  .zero,
  .at {
    stroke: var(--_line);
    stroke-width: 1;
  }

  .at {
    stroke: var(--_accent);
  }
`;
