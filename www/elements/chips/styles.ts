import { css } from "lit";

export const chipsStyles = css`
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .chip {
    display: inline-flex;
    align-items: center;
    min-height: 28px;
    max-width: 100%;
    padding-left: 10px;
    border-radius: 4px;
    background: var(--_chip);
    font-size: 13px;
  }

  .chip bdi {
    overflow: hidden;
    text-overflow: ellipsis;
  }

  small {
    flex: none;
    margin-left: 8px;
    padding-left: 8px;
    border-left: 1px solid var(--_line);
    font-size: 12px;
    color: var(--_muted);
  }

  .inactive {
    background: none;
    box-shadow: inset 0 0 0 1px var(--_line);
    color: var(--_muted);
  }

  .remove {
    display: grid;
    place-items: center;
    width: 28px;
    height: 28px;
    flex: none;
    color: var(--_muted);
  }

  .remove:hover {
    color: var(--_accent);
  }

  svg {
    width: 10px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.4;
    stroke-linecap: round;
  }

  .clear {
    min-height: 28px;
    padding: 0 4px;
    color: var(--_muted);
    font-size: 13px;
    text-decoration: underline;
    text-decoration-color: var(--_line);
    text-underline-offset: 3px;
  }

  .clear:hover {
    color: var(--_ink);
  }
`;
