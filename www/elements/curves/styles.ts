import { css } from "lit";

export const curvesStyles = css`
  figure {
    margin: 0;
  }

  /* Along the line a finger reads; up and down it scrolls the page. */
  .stage {
    touch-action: pan-y;
  }

  figcaption {
    margin-bottom: 4px;
    font-size: 12px;
    color: var(--_muted);
  }

  .keys {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 20px;
    min-height: 18px;
    margin: 4px 0;
    padding: 0;
    list-style: none;
    font-size: 12px;
  }

  /* Names at the lines themselves say it; it keeps its room, so that nothing moves under the pointer. */
  .keys.resting {
    visibility: hidden;
  }

  .keys svg {
    display: inline-block;
    margin-right: 6px;
    vertical-align: middle;
  }

  .keys b {
    font-weight: 600;
  }

  .place {
    color: var(--_muted);
  }

  .foot button {
    font-size: 12px;
    color: var(--_muted);
    border-bottom: 1px dotted currentColor;
  }

  .table {
    overflow: auto;
    max-height: 240px;
  }

  table {
    border-collapse: collapse;
    font-size: 12px;
  }

  th,
  td {
    padding: 2px 12px 2px 0;
    text-align: right;
    font-weight: 400;
  }

  @media (pointer: coarse) {
    .foot button {
      min-height: 40px;
    }
  }
`;
