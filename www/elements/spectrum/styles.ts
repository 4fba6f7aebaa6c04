import { css } from "lit";

export const spectrumStyles = css`
  /* However wide its place is: a few bars across a whole page would be no picture. */
  .lists {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(104px, 100%), 1fr));
    gap: 16px;
    max-width: 480px;
    margin: 0 auto;
  }

  figure {
    min-width: 0;
    margin: 0;
  }

  figcaption {
    min-height: 2.9em;
    color: var(--_muted);
    font-size: 12px;
  }

  .plot {
    position: relative;
    margin-top: 4px;
    border-bottom: 1px solid var(--_muted);
  }

  svg {
    display: block;
    width: 100%;
    height: 56px;
  }

  .held {
    fill: var(--_bar);
  }

  /* What is left of them is there, but lighter: the two differ in lightness, not in hue alone. */
  .left {
    fill: color-mix(in srgb, var(--_bar) 38%, var(--_paper));
  }

  .largest {
    position: absolute;
    top: -2px;
    right: 0;
    color: var(--_muted);
    font-size: 12px;
    line-height: 1;
  }

  .axis {
    display: flex;
    justify-content: space-between;
    color: var(--_muted);
    font-size: 12px;
  }

  p {
    margin: 4px 0 0;
    font-size: 12px;
  }
`;
