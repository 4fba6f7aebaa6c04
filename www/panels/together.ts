/** What the selected tokens attend to together, or what attends to them, in the inspector. */
import { html, nothing, type TemplateResult } from "lit";
import "../elements/bars.js";
import { tokenLabel } from "../elements/shared/templates.js";
import { formatFixed, formatList, message } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import { LOOKINGS, type Picked, POOLS } from "../state/index.js";
import { choice } from "../ui/choice.js";

const MAX_ITEMS = 8;

/** Renders the keys that several tokens attend to together, or the queries that attend to them. */
export function renderTogether(session: Session): TemplateResult | typeof nothing {
  if (!session.together) return nothing;
  const { picked, pool, looking, bothWays, items, most } = session.together;
  const pick = (change: Partial<Picked>): void => {
    const { together } = session;
    if (together) session.update({ picked: { ...together.selection, ...change } });
  };
  const positive = items.filter(({ value }) => value > 0);
  const bars = (positive.length > 0 ? positive : items)
    .toSorted((one, other) => other.value - one.value)
    .slice(0, MAX_ITEMS)
    .map(({ token, value }) => ({ label: tokenLabel(token), value, text: formatFixed(value) }));
  const words = (one: (typeof LOOKINGS | typeof POOLS)[number]): string =>
    message(`together.${one}`);
  return html`<section class="together">
    <header class="inline ends">
      <h2>${message("together.title")}</h2>
      <button class="act small" @click=${() => session.update({ picked: null })}>
        ${message("together.release")}
      </button>
    </header>
    <p class="picked serif"><bdi>${formatList(picked.map(tokenLabel))}</bdi></p>
    <div class="inline ends small">
      ${
        bothWays
          ? choice(message("together.looking"), LOOKINGS, looking, words, (chosen) =>
              pick({ looking: chosen }),
            )
          : html`<span class="muted">${words(looking)}</span>`
      }
      ${choice(
        message("together.pool"),
        POOLS,
        pool,
        words,
        (chosen) => pick({ pool: chosen }),
        "segments",
      )}
    </div>
    <headscope-bars .max=${most} .items=${bars}></headscope-bars>
    ${
      items.length > bars.length
        ? html`<p class="small muted">
            ${message("together.more", { count: bars.length, all: items.length })}
          </p>`
        : nothing
    }
  </section>`;
}
