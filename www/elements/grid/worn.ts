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
