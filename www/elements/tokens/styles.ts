import { css } from "lit";

export const tokensStyles = css`
  .strip {
    display: flex;
    flex-wrap: wrap;
    /* The line under a chip belongs to it, not to the row below. */
    gap: 6px 4px;
    /* A layer of its own: what changes on one chip leaves the rest of the page as it was put together. */
    will-change: transform;
  }

  .word {
    display: inline-flex;
    /* A word of more pieces than a line holds goes on in the next: squeezed, its pieces would break. */
    flex-wrap: wrap;
    max-width: 100%;
    border-radius: 4px;
    background: var(--_chip);
  }

  .special {
    background: none;
    box-shadow: none;
    outline: 1px dashed var(--_line);
    outline-offset: -1px;
    color: var(--_muted);
  }

  button {
    min-width: 20px;
    min-height: 28px;
    padding: 2px 8px 3px;
    border-radius: 4px;
    font-size: 13.5px;
    font-variant-east-asian: proportional-width;
    /* A token wider than the strip breaks. Cut off it would need a clip of its own, as would all the others, and hundreds of clips are felt at every move of the pointer. */
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  /* A dotted seam: two tokens, one word. */
  button + button {
    border-left: 1px dotted var(--_muted);
    border-top-left-radius: 0;
    border-bottom-left-radius: 0;
  }

  button:not(:only-child) {
    padding-inline: 6px;
  }

  button:not(:last-child) {
    border-top-right-radius: 0;
    border-bottom-right-radius: 0;
  }

  .unknown:not(:focus-visible) {
    outline: 2px dotted var(--_muted);
    outline-offset: -2px;
  }

  /* Struck out and hatched: a person reads what the model does not. */
  .hidden {
    background: repeating-linear-gradient(45deg, var(--_line) 0 1px, transparent 1px 5px);
    color: var(--_muted);
    text-decoration: line-through;
    text-decoration-thickness: 1px;
  }

  .whole {
    position: relative;
  }

  /* The mark has another size on every chip: it is laid out without the page around it. */
  .over {
    position: absolute;
    inset: 0;
    contain: layout size;
    pointer-events: none;
  }

  .mark {
    position: absolute;
    top: 0;
    left: 0;
    border-radius: 4px;
    pointer-events: none;
    visibility: hidden;
    will-change: transform;
  }

  .mark.on {
    box-shadow: inset 0 -2px 0 var(--_accent);
    visibility: visible;
  }

  /* Within a word only its own ends are round, as those of its chips are. */
  .mark.after {
    border-top-left-radius: 0;
    border-bottom-left-radius: 0;
  }

  .mark.before {
    border-top-right-radius: 0;
    border-bottom-right-radius: 0;
  }

  /* Only where there is a line to place: hundreds of positioned chips are felt at every move of the pointer. */
  .shared {
    position: relative;
  }

  /* As long as the token's part of the largest share. */
  .share {
    position: absolute;
    left: 6px;
    bottom: 3px;
    height: 3px;
    border-radius: 1.5px;
    background: var(--_bar);
    pointer-events: none;
  }

  .held {
    background: var(--_ink);
    color: var(--_paper);
  }

  .held .share {
    background: var(--_paper);
  }

  @media (pointer: coarse) {
    .strip {
      row-gap: 8px;
    }

    button {
      min-width: 24px;
      min-height: 36px;
    }
  }
`;
