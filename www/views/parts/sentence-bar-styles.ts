import { css } from "lit";

/** The sentence and what comes of it beside each other, or one above the other where there is no room. */
export const sentenceBarStyles = css`
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 24px minmax(0, 1fr);
    gap: 0 24px;
    padding: 20px 28px 16px;
    border-bottom: 1px solid var(--headscope-line);
  }

  section.single {
    grid-template-columns: minmax(0, 1fr);
  }

  .side {
    display: flex;
    flex-direction: column;
  }

  .over {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 16px;
    min-height: 28px;
    font-size: 12px;
    color: var(--headscope-muted);
  }

  .over button {
    max-width: 100%;
    font-size: 12px;
    color: var(--headscope-accent);
  }

  .arrow {
    align-self: start;
    padding-top: 34px;
    text-align: center;
    color: var(--headscope-muted);
    font-size: 18px;
  }

  headscope-tokens {
    margin-top: 12px;
    max-height: max(14vh, 100px);
    overflow: auto;
  }

  headscope-tokens + p {
    margin-top: 8px;
  }

  /* One line is always there, so that the picture stays where it is when a remark goes. */
  .remarks {
    display: flex;
    flex-wrap: wrap;
    gap: 0 20px;
    min-height: 18px;
    margin-top: 8px;
  }

  headscope-token-controls {
    margin: auto 0 0 auto;
    padding-top: 8px;
  }

  .remarks headscope-token-controls {
    margin-top: 0;
    padding-top: 0;
  }

  .guesses {
    display: none;
    color: var(--headscope-ink);
  }

  /* What belongs to an earlier text loses its colour, not its contrast. */
  .stale {
    filter: grayscale(1);
    --headscope-ink: var(--headscope-muted);
    color: var(--headscope-muted);
  }

  /* Quiet until somebody comes near. */
  .hint {
    margin-right: auto;
    opacity: 0;
  }

  .side:is(:hover, :focus-within) .hint {
    opacity: 1;
  }

  @media (hover: none) {
    .hint {
      opacity: 1;
    }
  }

  /* In a low window the picture needs the room more. */
  @media (max-height: 760px) {
    @container not (max-width: 820px) {
      section {
        padding-block: 12px 8px;
      }
    }
  }

  @container (max-width: 820px) {
    section {
      grid-template-columns: minmax(0, 1fr);
      gap: 8px;
      padding: 4px 16px 12px;
    }

    headscope-tokens {
      margin-top: 8px;
      max-height: max(14vh, 124px);
    }

    .side {
      position: relative;
    }

    /* How tokens are looked at is one word then, in the corner that the line above the text leaves free. */
    .side > headscope-token-controls {
      display: flex;
      position: absolute;
      top: 0;
      right: 0;
      align-items: center;
      height: 40px;
      margin: 0;
      padding: 0;
    }

    .side:has(> headscope-token-controls) .over {
      padding-right: 84px;
    }

    .over {
      min-height: 40px;
    }

    .remarks {
      align-items: center;
      justify-content: space-between;
    }

    .arrow {
      display: none;
    }

    /* The full list is screens away here: say the best of it. */
    .guesses {
      display: block;
    }
  }
`;
