import { css, html, nothing, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { ROLES, type Role } from "../../data/index.js";
import { formatFixed, message } from "../../i18n/index.js";

/** The role that a head wears and its score for it; `none` and null where it reaches no threshold. */
export interface WornScore {
  role: Role | "none";
  score: number | null;
}

/** How a role is written below a picture, by the room there: by its name, or by a sign that a legend explains, with or without its score. */
export type WornForm = "names" | "signs" | "bare";

const DIGITS = 2;
/** The width of a picture from which the longest short name fits below it, and that from which a score does. */
const NAME_WIDTH = 50;
const SCORE_WIDTH = 24;

/** The form for pictures of that width, in CSS pixels. */
export function wornForm(width: number): WornForm {
  if (width >= NAME_WIDTH) return "names";
  return width >= SCORE_WIDTH ? "signs" : "bare";
}

/** What stands below a head, in full words when it is pointed at. Its button says them too, so nobody hears them twice. */
export function wornOf(
  { role, score }: WornScore,
  form: WornForm,
  caption: string | undefined,
): TemplateResult {
  const word = form === "names" ? message(`role.${role}.short`) : message(`role.${role}.sign`);
  return html`<span class=${classMap({ worn: true, scored: form !== "bare", none: role === "none" })} aria-hidden="true" title=${caption ?? nothing}><span>${word}</span>${score === null || form === "bare" ? nothing : html` <span class="score">${formatFixed(score, DIGITS)}</span>`}</span>`;
}

/** What the words or signs below the pictures are; every sign that occurs has its name. */
export function wornLegend(
  worn: readonly (readonly WornScore[])[],
  form: WornForm,
): TemplateResult {
  const present = new Set(worn.flat().map(({ role }) => role));
  const known = [...ROLES.map(({ role }) => role), "none" as const].filter((role) =>
    present.has(role),
  );
  return html`<p class="legend" part="legend">
    ${message(form === "bare" ? "grid.signs" : "grid.worn")}
    ${form === "names" ? nothing : html`<span class="signs">${known.map((role) => html`<span class="sign"><b>${message(`role.${role}.sign`)}</b> ${message(role === "none" ? "roles.none" : `role.${role}`)}</span>`)}</span>`}
  </p>`;
}

export const wornStyles = css`
  .worn {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 4px;
    margin-top: 3px;
    font-size: 11px;
    line-height: 13px;
    white-space: nowrap;
  }

  .row:has(.worn) {
    align-items: start;
  }

  .grid .worn {
    flex-direction: column;
    align-items: center;
  }

  /* Some have a score and some have none, but all rows of a table are as high as the next one. */
  .grid .worn.scored {
    min-height: 26px;
  }

  /* The sign of nothing steps back behind the roles. */
  .worn.none {
    color: var(--_muted);
  }

  .score {
    color: var(--_muted);
  }

  .selected .worn {
    color: var(--_accent);
  }

  .silenced .worn {
    text-decoration: line-through;
  }

  .legend {
    margin: 12px 0 0;
    color: var(--_muted);
    font-size: 12px;
    line-height: 1.5;
  }

  .signs {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
  }

  .sign b {
    color: var(--_ink);
    font-weight: 600;
  }
`;

export const gridStyles = css`
  .whole {
    position: relative;
  }

  /* Under the cells, which are clear. Its colour is what it lays under the pictures. */
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    color: var(--_cell);
    pointer-events: none;
  }

  .grid {
    display: grid;
    /* What stands below a picture is its own, not the next row's. */
    gap: 8px;
    max-width: calc(20px + var(--heads) * 60px);
  }

  .row {
    display: grid;
    grid-template-columns: 16px repeat(var(--heads), minmax(0, 1fr));
    gap: 4px;
    align-items: center;
  }

  .number {
    color: var(--_muted);
    font-size: 12px;
    text-align: center;
  }

  [role="rowheader"] {
    text-align: left;
  }

  .list {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(72px, 1fr));
    gap: 12px 8px;
    max-width: 480px;
  }

  .list li {
    min-width: 0;
    font-size: 12px;
    line-height: 1.35;
    text-align: center;
  }

  .place,
  .note {
    display: block;
    white-space: nowrap;
  }

  .place {
    margin-top: 4px;
  }

  .note {
    color: var(--_muted);
  }

  .cell {
    position: relative;
    aspect-ratio: 1;
  }

  .head {
    display: block;
    width: 100%;
    height: 100%;
    padding: 0;
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--_line);
  }

  .head:hover {
    box-shadow: 0 0 0 1px var(--_muted);
  }

  /* In ink and at a distance: the accent already says which head is selected. */
  .head:focus-visible {
    outline-color: var(--_ink);
  }

  .cell:focus-within {
    z-index: 1;
  }

  .selected .head {
    box-shadow: 0 0 0 2px var(--_accent);
  }

  /* While the sign is not shown, its corner belongs to the picture. */
  .silence {
    --_sign: 15px;
    --_target: 17px;
    position: absolute;
    z-index: 1;
    top: -5px;
    right: -5px;
    display: grid;
    place-items: center;
    width: var(--_target);
    height: var(--_target);
    pointer-events: none;
  }

  /* A no-entry sign, small enough to leave the picture alone. */
  .silence::before,
  .silence::after {
    content: "";
    grid-area: 1 / 1;
    /* Not transparent: every transparent sign would be a layer of its own. */
    visibility: hidden;
  }

  .silence::before {
    width: var(--_sign);
    height: var(--_sign);
    border: 1px solid var(--_muted);
    border-radius: 50%;
    background: var(--_paper);
  }

  .silence::after {
    width: calc(var(--_sign) / 2);
    height: 2px;
    background: var(--_muted);
  }

  .silence:hover::before {
    border-color: var(--_accent);
  }

  .silence:hover::after {
    background: var(--_accent);
  }

  .selected .silence,
  .silenced .silence {
    pointer-events: auto;
  }

  :is(.selected, .silenced) .silence::before,
  :is(.selected, .silenced) .silence::after {
    visibility: visible;
  }

  .silenced .silence::before {
    border-color: var(--_accent);
    background: var(--_accent);
  }

  .silenced .silence::after {
    background: var(--_paper);
  }

  /* A finger does not hover, so there the sign would only get in its way. */
  @media not (pointer: coarse) {
    .cell:hover .silence,
    .cell:focus-within .silence {
      pointer-events: auto;
    }

    .cell:is(:hover, :focus-within) .silence::before,
    .cell:is(:hover, :focus-within) .silence::after {
      visibility: visible;
    }
  }

  .empty {
    margin: 0;
    color: var(--_muted);
  }

  @media (pointer: coarse) {
    .silence {
      --_sign: 18px;
      --_target: 26px;
    }
  }
`;
