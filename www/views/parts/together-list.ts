import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import "../../elements/bars/index.js";
import { tokenLabel } from "../../elements/shared/token-label.js";
import { formatFixed, formatList, message } from "../../i18n/index.js";
import { LOOKINGS, POOLS, type Picked } from "../../state/index.js";
import type { Together } from "../run/together.js";
import "../../ui/choice.js";
import { patch } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** How many tokens the list has at most. */
const MOST_ITEMS = 8;

/** Where several tokens look together, or what looks at them. Changes the State. */
@customElement("headscope-together-list")
export class HeadscopeTogetherList extends PagePart {
  static override styles = [
    partStyles,
    css`
      header,
      .choices {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 4px 16px;
      }

      header button {
        padding: 0;
        color: var(--headscope-accent);
      }

      .picked {
        margin: 8px 0;
        font: 400 18px/1.35 var(--headscope-font-text);
        overflow-wrap: anywhere;
      }

      .choices {
        align-items: center;
        margin-bottom: 8px;
      }

      headscope-choice {
        font-size: 12px;
        --headscope-segment: 1px 10px;
      }
    `,
  ];

  @property({ attribute: false }) together: Together | null = null;

  override render(): TemplateResult | typeof nothing {
    const { together } = this;
    if (!together) return nothing;
    const { picked, pool, looking, bothWays, items, most } = together;
    const any = items.filter(({ value }) => value > 0);
    const strongest = (any.length > 0 ? any : items)
      .toSorted((one, other) => other.value - one.value)
      .slice(0, MOST_ITEMS);
    const bars = strongest.map(({ token, value }) => ({
      label: tokenLabel(token),
      value,
      text: formatFixed(value),
    }));
    return html`
      <header>
        <h2>${message("together.title")}</h2>
        <button class="small" @click=${() => patch(this, { picked: null })}>${message("together.release")}</button>
      </header>
      <p class="picked"><bdi>${formatList(picked.map(tokenLabel))}</bdi></p>
      <div class="choices">
        ${
          bothWays
            ? html`<headscope-choice
              look="words"
              .label=${message("together.looking")}
              .value=${looking}
              .choices=${LOOKINGS.map((value) => ({ value, label: message(`together.${value}`) }))}
              @headscope-choose=${this.chooseLooking}
            ></headscope-choice>`
            : html`<span class="small muted">${message(`together.${looking}`)}</span>`
        }
        <headscope-choice
          look="segments"
          .label=${message("together.pool")}
          .value=${pool}
          .choices=${POOLS.map((value) => ({ value, label: message(`together.${value}`) }))}
          @headscope-choose=${this.choosePool}
        ></headscope-choice>
      </div>
      <headscope-bars .max=${most} .items=${bars}></headscope-bars>
      ${items.length > bars.length ? html`<p class="small muted">${message("together.more", { count: bars.length, all: items.length })}</p>` : nothing}
    `;
  }

  private readonly choosePool = (event: CustomEvent<string>): void => {
    const pool = POOLS.find((candidate) => candidate === event.detail);
    if (pool) this.tell({ pool });
  };

  private readonly chooseLooking = (event: CustomEvent<string>): void => {
    const looking = LOOKINGS.find((candidate) => candidate === event.detail);
    if (looking) this.tell({ looking });
  };

  private tell(change: Partial<Picked>): void {
    if (this.together) patch(this, { picked: { ...this.together.wish, ...change } });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-together-list": HeadscopeTogetherList;
  }
}
