import { css } from "lit";

export const otherBarStyles = css`
  section {
    padding: 12px 28px 16px;
    border-bottom: 1px solid var(--headscope-line);
  }

  .over {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 20px;
    min-height: 28px;
    font-size: 12px;
    color: var(--headscope-muted);
  }

  .over select,
  .over button {
    min-width: 0;
    max-width: 100%;
    font-size: 12px;
    color: var(--headscope-muted);
  }

  /* As wide as what it says, not as its longest sentence. */
  .samples {
    width: 9em;
    text-overflow: ellipsis;
  }

  @supports (field-sizing: content) {
    .over select {
      width: auto;
      field-sizing: content;
    }
  }

  option {
    color: var(--headscope-ink);
    background: var(--headscope-paper);
  }

  .over .end {
    margin-left: auto;
    color: var(--headscope-accent);
  }

  .words {
    font: 400 15px/1.5 var(--headscope-font-text);
  }

  .written {
    margin-top: 12px;
  }

  .written .small {
    font: 400 12px/1.5 var(--headscope-font-ui);
  }

  headscope-tokens {
    margin-top: 12px;
    max-height: max(14vh, 96px);
    overflow: auto;
  }

  .hint {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 24px;
    margin-top: 8px;
  }

  .failure {
    margin-top: 8px;
    color: var(--headscope-accent);
  }

  .failure button {
    margin-left: 12px;
    text-decoration: underline;
  }

  progress {
    display: inline-block;
    width: 160px;
    margin-left: 12px;
    vertical-align: middle;
  }

  .stale {
    filter: grayscale(1);
  }

  @container (max-width: 820px) {
    section {
      padding: 12px 16px;
    }

    /* The way out stays in the line of the choices. */
    .over {
      column-gap: 12px;
    }
  }
`;
