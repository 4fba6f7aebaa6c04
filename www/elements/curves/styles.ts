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

  /* Below its lines the table stands where they begin. */
  .foot {
    justify-content: flex-start;
    margin-top: 4px;
  }

  .numbers {
    max-height: 240px;
  }

  table {
    margin: 0;
  }

  @media (pointer: coarse) {
    .foot button {
      min-height: 40px;
    }
  }
`;
