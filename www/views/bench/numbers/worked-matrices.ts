import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Workbench } from "../../../data/index.js";
import { Memo } from "../../../elements/shared/controllers.js";
import { formatNumber, message } from "../../../i18n/index.js";
import { shapeOf, TUTORIAL, type BroughtNumbers, type Rows } from "../../../state/index.js";
import "../../../ui/choice.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { LabSettings, setting } from "../lab-settings.js";
import { DIGITS, LAB_TABLE } from "../lab-table.js";
import "../../parts/embed-buttons.js";
import {
  arithmeticOf,
  SHARED,
  shownOf,
  WORKED,
  type Shown,
  type WorkedName,
  type WorkedPlace,
} from "./arithmetic.js";
import { arithmeticLine, SYMBOLS } from "./arithmetic-line.js";
import { symbols } from "./symbols.js";
import { MATRIX_FORMATS, saveMatrix } from "./files.js";
import { numberText, type Digits } from "./number-words.js";
import "./worked-grid.js";
import type { GridCell } from "./worked-grid.js";

/** Matrices whose columns are words. */
const OF_WORDS: ReadonlySet<WorkedName> = new Set(["raw", "scores", "masked", "weights"]);

/** All that is computed of brought numbers, as one head sees it, and the arithmetic of the cell that is looked at. Fires `headscope-workbench-head`. */
@customElement("headscope-worked-matrices")
export class HeadscopeWorkedMatrices extends PagePart {
  static override styles = [
    partStyles,
    css`
      :host {
        margin-top: 20px;
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
      }

      h3 {
        font-size: 14px;
        font-weight: 600;
      }

      .head,
      .flow {
        display: flex;
        flex-wrap: wrap;
        align-items: start;
        gap: 8px 28px;
      }

      .head {
        align-items: center;
      }

      .flow {
        gap: 16px 28px;
        margin-top: 12px;
      }

      .choice {
        display: inline-flex;
        align-items: center;
        gap: 8px;
        color: var(--headscope-muted);
      }

      figure {
        min-width: 0;
        max-width: 100%;
        margin: 0;
      }

      figcaption {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 12px;
        margin-bottom: 4px;
      }

      figcaption button {
        min-width: 24px;
        color: var(--headscope-muted);
        font-size: 12px;
      }

      /* Stays in sight while one goes through the matrices; it has room for a few lines, so that nothing moves. */
      .made {
        position: sticky;
        bottom: 0;
        z-index: 1;
        min-height: 52px;
        max-height: 120px;
        margin-top: 12px;
        padding: 8px 0;
        overflow-y: auto;
        background: var(--headscope-paper);
        border-top: 1px solid var(--headscope-line);
        font-variant-numeric: tabular-nums;
      }

      .term {
        white-space: nowrap;
      }
    `,
  ];

  @property({ attribute: false }) brought: BroughtNumbers = TUTORIAL;
  @property({ attribute: false }) worked: Workbench | null = null;
  @property({ type: Number }) head = 0;

  @state() private digits: Digits = 3;
  /** The cell that is looked at; it stays when the pointer has left, so that it can be read in peace. */
  @state() private place: WorkedPlace | null = null;
  private readonly shown = new Memo<Shown>();
  protected readonly settings = new LabSettings(this, "worked", {
    digits: setting(
      LAB_TABLE.worked.digits,
      () => this.digits,
      (digits) => (this.digits = digits),
    ),
  });

  override render(): TemplateResult | typeof nothing {
    const { worked, head, brought, digits, place } = this;
    if (!worked) return nothing;
    const shown = this.shown.get([worked, head], () => shownOf(worked, head));
    return html`<section aria-labelledby="title">
      <div class="head">
        <h3 id="title">${message("numbers.worked.title")}</h3>
        ${worked.heads.length > 1 ? this.renderHeads(worked.heads.length) : nothing}
        <span class="choice">${message("numbers.digits")}
          <headscope-choice look="segments" .label=${message("numbers.digits")} .value=${String(digits)} .choices=${DIGITS.map((value) => ({ value: String(value), label: String(value) }))} @headscope-choose=${(event: CustomEvent<string>) => this.chooseDigits(event.detail)}></headscope-choice>
        </span>
        <span class="small muted">${message("numbers.worked.count", { multiplications: formatNumber(worked.attention.multiplications), additions: formatNumber(worked.attention.additions), divisions: formatNumber(worked.attention.divisions), exponentials: formatNumber(worked.attention.exponentials) })}</span>
      </div>
      <div class="flow">${WORKED.map((name) => this.renderMatrix(name, shown[name]))}</div>
      <div class="made" role="status">${arithmeticLine(place, place ? arithmeticOf(brought, worked, head, place) : null, digits)}</div>
    </section>`;
  }

  private renderHeads(count: number): TemplateResult {
    const heads = Array.from({ length: count }, (_, head) => ({
      value: String(head),
      label: String(head + 1),
    }));
    return html`<span class="choice">${message("numbers.head")}
      <headscope-choice look="segments" .label=${message("numbers.head")} .value=${String(this.head)} .choices=${heads} @headscope-choose=${(event: CustomEvent<string>) => this.chooseHead(event.detail)}></headscope-choice>
    </span>`;
  }

  private renderMatrix(name: WorkedName, rows: Rows | undefined): TemplateResult | typeof nothing {
    if (!rows) return nothing;
    const { words } = this.brought;
    const { place, worked } = this;
    const file =
      worked && worked.heads.length > 1 && !SHARED.has(name)
        ? `${name}_head-${this.head + 1}`
        : name;
    const label = message(`numbers.worked.${name}`);
    const formula = message(`numbers.formula.${name}`, {
      divisor: numberText(worked?.divisor ?? NaN, 3),
    });
    return html`<figure>
      <figcaption><b>${symbols(formula)}</b> <span class="small muted">${label} · ${shapeOf(rows).join(" × ")}</span>
        ${MATRIX_FORMATS.map((format) => html`<button aria-label=${message("numbers.save", { name: SYMBOLS[name], format })} @click=${() => void saveMatrix(file, rows, words, format)}>${format === "csv" ? "CSV" : ".npy"}</button>`)}
        <headscope-embed-buttons class="figure" .heading=${SYMBOLS[name]}></headscope-embed-buttons>
      </figcaption>
      <headscope-worked-grid
        ?weights=${name === "weights"}
        .rows=${rows}
        .rowNames=${words}
        .columnNames=${OF_WORDS.has(name) ? words : null}
        .label=${label}
        .digits=${this.digits}
        .held=${place?.matrix === name ? place : null}
        @headscope-worked-cell=${(event: CustomEvent<GridCell | null>) => this.look(name, event.detail)}
      ></headscope-worked-grid>
    </figure>`;
  }

  private look(matrix: WorkedName, cell: GridCell | null): void {
    if (cell) this.place = { matrix, ...cell };
  }

  private chooseDigits(digits: string): void {
    this.digits = DIGITS.find((one) => String(one) === digits) ?? this.digits;
  }

  private chooseHead(head: string): void {
    this.dispatchEvent(
      new CustomEvent("headscope-workbench-head", {
        detail: Number(head),
        bubbles: true,
        composed: true,
      }),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-worked-matrices": HeadscopeWorkedMatrices;
  }
  interface HTMLElementEventMap {
    /** Another head of the workbench is to be looked at. */
    "headscope-workbench-head": CustomEvent<number>;
  }
}
