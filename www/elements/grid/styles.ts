import { css } from "lit";

export const gridStyles = css`
  .grid {
    display: grid;
    gap: 4px;
    max-width: calc(20px + var(--heads) * 60px);
  }

  .row {
    display: grid;
    grid-template-columns: 16px repeat(var(--heads), minmax(0, 1fr));
    gap: 4px;
    align-items: center;
  }

  .number {
    color: var(--_muted);
    font-size: 12px;
    text-align: center;
  }

  [role="rowheader"] {
    text-align: left;
  }

  .cell {
    position: relative;
    aspect-ratio: 1;
  }

  .head {
    display: block;
    width: 100%;
    height: 100%;
    padding: 2px;
    background: var(--_cell);
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--_line);
  }

  .head:hover {
    box-shadow: 0 0 0 1px var(--_muted);
  }

  .selected .head {
    box-shadow: 0 0 0 2px var(--_accent);
  }

  canvas {
    display: block;
    width: 100%;
    height: 100%;
  }

  .silenced canvas {
    opacity: 0.22;
  }

  /* A no-entry sign, small enough to leave the picture alone. */
  .silence {
    position: absolute;
    top: -4px;
    right: -4px;
    width: 15px;
    height: 15px;
    border-radius: 50%;
    background: var(--_paper);
    box-shadow: 0 0 0 1px var(--_muted);
    opacity: 0;
  }

  .silence::before {
    content: "";
    position: absolute;
    inset: 6.5px 3.5px;
    background: var(--_muted);
  }

  .silence:hover {
    box-shadow: 0 0 0 1px var(--_accent);
  }

  .silence:hover::before {
    background: var(--_accent);
  }

  .cell:hover .silence,
  .cell:focus-within .silence,
  .selected .silence,
  .silenced .silence {
    opacity: 1;
  }

  .silenced .silence {
    background: var(--_accent);
    box-shadow: 0 0 0 1px var(--_accent);
  }

  .silenced .silence::before {
    background: var(--_paper);
  }

  .empty {
    margin: 0;
    color: var(--_muted);
  }

  @media (pointer: coarse) {
    .silence {
      width: 22px;
      height: 22px;
      top: -7px;
      right: -7px;
    }

    .silence::before {
      inset: 10px 6px;
    }
  }
`;
