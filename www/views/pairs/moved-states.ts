import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Tensor, Token } from "../../data/index.js";
import "../../elements/numbers/index.js";
import { tokenLabels } from "../../elements/shared/token-label.js";
import { Kept } from "../../elements/shared/kept.js";
import { language, message } from "../../i18n/index.js";
import type { Run } from "../../headscope.js";
import type { BlockStack } from "../../state/index.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

/** Low, for it stands below three pictures. */
const HEIGHT = 160;

/** How far every token's state is from where it is without the edits, `[layer, position]`. */
export interface MovedStates {
  stack: BlockStack;
  distances: Tensor;
  tokens: Token[];
}

/** Reads it of the stack that a head belongs to; cross-attention's queries are the decoder's. */
export async function readMovedStates(
  run: Run,
  original: Run,
  stack: BlockStack,
): Promise<MovedStates> {
  const tokens =
    stack === "encoder" || run.targetTokens.length === 0 ? run.tokens : run.targetTokens;
  return { stack, tokens, distances: await run.distances({ stack, other: original }) };
}

/** ‖Δ‖ of the hidden states by layer and token: where an edit was felt, and how far it spread. */
@customElement("headscope-moved-states")
export class HeadscopeMovedStates extends PagePart {
  static override styles = [
    partStyles,
    css`
      p {
        margin: 4px 0 8px;
      }

      h3 {
        font: 400 16px/1.4 var(--headscope-font-text);
      }
    `,
  ];

  @property({ attribute: false }) moved: MovedStates | null = null;

  private readonly names = new Kept<{ rows: string[]; columns: string[] }>();

  override render(): TemplateResult | typeof nothing {
    const { moved } = this;
    if (!moved) return nothing;
    const { distances, tokens, stack } = moved;
    const { rows, columns } = this.names.get([moved, language()], () => ({
      rows: Array.from({ length: distances.shape[0] ?? 0 }, (_, layer) =>
        layer === 0 ? message("pairs.embedding") : message("pairs.layer", { layer }),
      ),
      columns: tokenLabels(tokens),
    }));
    return html`<h3>${message("moved.title", { stack: message(`stack.${stack}`) })}</h3>
      <p class="small muted">${message("moved.hint")}</p>
      <headscope-numbers
        .tensor=${distances}
        .rowNames=${rows}
        .columnNames=${columns}
        .titles=${{ rows: message("moved.depth"), columns: message("moved.token"), values: message("moved.values") }}
        .comfortableHeight=${HEIGHT}
        @headscope-cell-hover=${stop}
        @headscope-cell-lock=${stop}
        @headscope-cell-toggle=${stop}
        @headscope-region-change=${stop}
      ></headscope-numbers>`;
  }
}

/** Its cells are no pairs of a query and a key. */
function stop(event: Event): void {
  event.stopPropagation();
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-moved-states": HeadscopeMovedStates;
  }
}
