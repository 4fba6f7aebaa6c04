import { css } from "lit";

export const pairsPanelStyles = css`
  :host {
    container-type: inline-size;
  }

  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 24px;
    margin-bottom: 16px;
  }

  .tools {
    display: flex;
    align-items: center;
    gap: 16px;
    margin-left: auto;
  }

  .grid {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 32px 28px;
    align-items: start;
  }

  .stale {
    filter: grayscale(1);
  }

  figure {
    min-width: 0;
    margin: 0;
  }

  figcaption {
    margin-bottom: 8px;
    overflow: hidden;
    font: 400 16px/1.4 var(--headscope-font-text);
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .empty {
    padding: 15vh 0;
    text-align: center;
    font: 400 18px/1.5 var(--headscope-font-text);
  }

  .words section + section {
    margin-top: 20px;
    padding-top: 20px;
    border-top: 1px solid var(--headscope-line);
  }

  .words p + p,
  headscope-bars + p {
    margin-top: 8px;
  }

  h3 {
    font-size: 14px;
    font-weight: 600;
  }

  .pair {
    font-size: 20px;
  }

  dl {
    margin-top: 12px;
  }

  @container (max-width: 720px) {
    .grid {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
