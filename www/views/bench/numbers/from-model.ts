import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { LARGEST_SIDE, type Workbench } from "../../../data/index.js";
import { formatValue } from "../../../draw/text.js";
import { message } from "../../../i18n/index.js";
import type { BroughtNumbers } from "../../../state/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { isExpected } from "../../run/failures.js";
import type { HeadFigures } from "../../run/figures.js";
import {
  MOST_TAKEN,
  residueOf,
  takeFromModel,
  type Taken,
  type Untakable,
} from "./model-numbers.js";
import { renderTrouble, troubleOf, type Trouble } from "./trouble.js";

/** Weights that are this near are the same: the model computes in f32. */
const SAME = 1e-5;

/** Puts the head that is looked at on the workbench, and says whether its weights are the model's own. Fires `headscope-taken`. */
@customElement("headscope-from-model")
export class HeadscopeFromModel extends PagePart {
  static override styles = [
    partStyles,
    css`
      button {
        color: var(--headscope-accent);
      }

      button[aria-disabled="true"] {
        color: var(--headscope-muted);
        cursor: default;
      }

      p {
        margin: 4px 0 0;
      }
    `,
  ];

  /** The head that is looked at; null while nothing was read of one. */
  @property({ attribute: false }) figures: HeadFigures | null = null;
  /** What is on the workbench, and what came out of it. */
  @property({ attribute: false }) numbers: BroughtNumbers | null = null;
  @property({ attribute: false }) worked: Workbench | null = null;
  /** Whether the model runs with edits, which may be why its weights are others. */
  @property({ type: Boolean }) edited = false;

  @state() private taken: Taken | null = null;
  @state() private untakable: Untakable | null = null;
  @state() private failed: unknown = null;
  @state() private busy = false;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const before = changed.get("figures") as HeadFigures | null | undefined;
    if (changed.has("figures") && !isSame(before ?? null, this.figures))
      this.untakable = this.failed = null;
  }

  override render(): TemplateResult | typeof nothing {
    const { figures, taken, untakable, failed } = this;
    if (!figures && !taken) return nothing;
    const { stack, layer, head } = figures?.head ??
      taken?.head ?? { stack: "encoder", layer: 0, head: 0 };
    const name = message("edits.head", {
      stack: message(`stack.${stack}`),
      layer: layer + 1,
      head: head + 1,
    });
    return html`<button id="take" ?disabled=${!figures} aria-disabled=${this.busy} @click=${this.take}>${message("numbers.take", { head: name })}</button>
      <div class="small" role="status">
        ${untakable ? html`<p>${message("numbers.take.wide", { width: untakable.width, most: LARGEST_SIDE })} <code class="muted">selection/too-large</code></p>` : nothing}
        ${failed === null ? nothing : html`<p>${renderTrouble(failedTrouble(failed))}</p>`}
        ${taken?.numbers === this.numbers ? this.renderTaken(taken) : nothing}
      </div>`;
  }

  private renderTaken(taken: Taken): TemplateResult {
    const { worked, edited } = this;
    const residue = worked ? residueOf(taken, worked.heads[0]?.weights ?? []) : null;
    const parts = [
      message(taken.direct ? `numbers.taken.${taken.direct}` : "numbers.taken.what", {
        width: taken.width,
      }),
      ...(taken.biased ? [message("numbers.taken.bias")] : []),
      ...(taken.firstKey > 0 ? [message("numbers.taken.crossed")] : []),
      ...(taken.tokens > MOST_TAKEN
        ? [message("numbers.taken.part", { most: MOST_TAKEN, tokens: taken.tokens })]
        : []),
    ];
    return html`<p class="muted">${parts.join(" ")}</p>
      ${residue === null ? nothing : html`<p data-residue=${residue}>${message(residue <= SAME ? "numbers.taken.same" : edited ? "numbers.taken.edited" : "numbers.taken.other", { residue: formatValue(residue) })}</p>`}`;
  }

  private readonly take = async (): Promise<void> => {
    const { figures } = this;
    if (!figures || this.busy) return;
    this.busy = true;
    this.untakable = this.failed = null;
    try {
      const found = await takeFromModel(figures);
      if (!isSame(this.figures, figures) || !this.isConnected) return;
      if ("why" in found) this.untakable = found;
      else {
        this.taken = found;
        this.dispatchEvent(
          new CustomEvent("headscope-taken", {
            detail: found.numbers,
            bubbles: true,
            composed: true,
          }),
        );
      }
    } catch (thrown) {
      if (isSame(this.figures, figures) && !isExpected(thrown)) this.failed = thrown;
    } finally {
      this.busy = false;
    }
  };
}

function failedTrouble(thrown: unknown): Trouble {
  const { sentence, code } = troubleOf(thrown);
  return { sentence: message("numbers.take.failed", { sentence }), code };
}

/** Whether both are of one head of one run: what is read of a run comes anew as it goes on. */
function isSame(one: HeadFigures | null, other: HeadFigures | null): boolean {
  return (
    one?.run === other?.run &&
    one?.head.stack === other?.head.stack &&
    one?.head.layer === other?.head.layer &&
    one?.head.head === other?.head.head
  );
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-from-model": HeadscopeFromModel;
  }
  interface HTMLElementEventMap {
    /** A head of the model is to stand on the workbench. */
    "headscope-taken": CustomEvent<BroughtNumbers>;
  }
}
