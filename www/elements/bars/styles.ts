import { css } from "lit";

export const barsStyles = css`
  h3 {
    margin: 0 0 12px;
    font-size: 14px;
    font-weight: 600;
  }

  ol {
    margin: 0;
    padding: 0;
    list-style: none;
    display: grid;
    /* As far as there is room for it, a long word is read whole. */
    grid-template-columns: minmax(3.5em, clamp(6em, 40%, 10em)) minmax(40px, 1fr) auto;
    gap: 4px 12px;
  }

  li {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    align-items: center;
    min-height: 20px;
  }

  .label {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: pre;
  }

  .track {
    display: block;
    height: 8px;
    /* A bar of another length is laid out without the page around it. */
    contain: layout size;
  }

  .track i {
    display: block;
    min-width: 1px;
    height: 8px;
    border-radius: 1px;
    background: var(--_bar);
  }

  /* Where there are bars to the left of zero, a line says where it is. */
  .signed .track {
    background: linear-gradient(var(--_muted), var(--_muted)) var(--_zero) 0 / 1px 100% no-repeat;
  }

  .text {
    color: var(--_muted);
    text-align: right;
  }

  .marked .label {
    font-weight: 600;
  }

  .marked .track i {
    background: var(--_accent);
  }

  li:first-child .text {
    color: var(--_ink);
  }
`;
