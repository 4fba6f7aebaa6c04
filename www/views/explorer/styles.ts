import { css } from "lit";

/** The page's plan, by its own width, not the window's: three columns on a desk, one on a phone. */
export const explorerStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    /* All parts ask how wide the explorer is. */
    container-type: inline-size;
    /* How tall the tour is where it lies at the bottom of the window. */
    --headscope-tour-sheet: min(36vh, 272px);
  }

  :host([page]) {
    min-height: 100vh;
    min-height: 100dvh;
  }

  .parts {
    display: grid;
    flex: 1;
    grid-template-columns: 308px minmax(0, 1fr) 300px;
  }

  .parts > * {
    min-width: 0;
    padding: 20px 28px 24px;
  }

  /* What does not change while the pointer moves over the picture is not painted again with what does. */
  headscope-sentence-bar,
  headscope-heads-panel,
  headscope-inspector {
    isolation: isolate;
  }

  /* Positions are about no pair, so there is nothing to inspect. */
  .parts > headscope-picture-panel:last-child {
    grid-column: 2 / -1;
  }

  .parts > headscope-pairs-panel {
    grid-column: 2 / -1;
  }

  .edits {
    background: var(--headscope-paper);
  }

  /* What went wrong is said where the reader is: a file is opened from the foot of the page. */
  headscope-notices {
    position: sticky;
    top: 0;
    z-index: 2;
  }

  /* Edits stay in sight below a tall picture, above what parts of the page lay above each other. */
  .sticky {
    position: sticky;
    bottom: 0;
    z-index: 2;
  }

  .sticky:has(headscope-edits-panel[unfolded]) {
    position: static;
  }

  /* A low window has no room for a picture and what lies over it. */
  @media (max-height: 620px) {
    .sticky {
      position: static;
    }
  }

  .parts > * + * {
    border-left: 1px solid var(--headscope-line);
  }

  /* The pictures of an earlier text lose their colour, not their contrast. */
  .stale {
    filter: grayscale(1);
  }

  .skip {
    position: absolute;
    left: 8px;
    top: -48px;
    z-index: 1;
    padding: 8px 16px;
    background: var(--headscope-ink);
    color: var(--headscope-paper);
  }

  .skip:focus {
    top: 8px;
  }

  @container (max-width: 1100px) {
    .parts {
      grid-template-columns: 300px minmax(0, 1fr);
    }

    .parts > headscope-inspector {
      grid-column: 1 / -1;
      border-left: 0;
      border-top: 1px solid var(--headscope-line);
    }
  }

  @container (max-width: 820px) {
    .parts {
      display: block;
    }

    .parts > * {
      padding: 8px 16px 16px;
    }
  }
`;
