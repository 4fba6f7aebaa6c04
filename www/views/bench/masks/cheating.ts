import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { type MaskEdit, MOST_PRESETS, type Token } from "../../../data/index.js";
import { pieceText, predictionLabel, tokenLabel } from "../../../elements/shared/token-label.js";
import { formatPercent, message } from "../../../i18n/index.js";
import { addRule, hasEdits, rulesOf } from "../../../state/index.js";
import { patch } from "../../parts/events.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { firstFailure } from "../../run/failures.js";
import { Loader } from "../../run/loader.js";
import { renderFailed } from "../failed-words.js";
import type { OnBench } from "../on-bench.js";
import "../saving/save-figure.js";
import type { FigureTable } from "../saving/figure-numbers.js";
import { labStyles } from "./lab-styles.js";
import { isRight, readGuesses, type Guess, type NextWord } from "./next-words.js";

/** What a decoder expects after each word, with the rules and without: one that sees the words that are to come copies them. */
@customElement("headscope-mask-cheating")
export class HeadscopeMaskCheating extends PagePart {
  static override styles = [
    partStyles,
    labStyles,
    css`
      .sum {
        font-size: 16px;
      }

      .wide {
        max-height: 320px;
        overflow: auto;
      }

      thead th {
        position: sticky;
        top: 0;
        background: var(--headscope-paper);
      }

      tbody th b {
        color: var(--headscope-ink);
        font-weight: 600;
      }

      .right {
        font-weight: 600;
        color: var(--headscope-accent);
      }
    `,
  ];

  @property({ attribute: false }) on: OnBench | null = null;

  private readonly guesses = new Loader<Guess[]>(() => this.requestUpdate());

  protected override willUpdate(): void {
    const { run, model, revision, growing } = this.on ?? {};
    if (!run || !model || !predictsNext(model.info)) {
      this.guesses.clear();
      return;
    }
    // A text that is still being written has no next words yet.
    if (growing) return;
    this.guesses.want(`${revision}`, () => readGuesses(model, run));
  }

  override render(): TemplateResult {
    const { model, edits, growing } = this.on ?? {};
    if (!model || !edits) return html`<p class="muted">${message("lab.waiting")}</p>`;
    if (!predictsNext(model.info)) return html`<p class="muted">${message("cheat.encoder")}</p>`;
    const failure = firstFailure([this.guesses]);
    const list = this.guesses.value ?? [];
    const stale = growing === true || this.guesses.stale;
    const opened = edits.masks.some(opensDecoder);
    return html`<p class="small muted">${message("cheat.intro")}</p>
      ${opened ? nothing : html`<button class="action" ?disabled=${rulesOf(edits).length >= MOST_PRESETS} @click=${this.removeMask}>${message("cheat.remove")}</button>`}
      ${failure !== null ? html`<p class="failed">${renderFailed(failure, message("lab.failed"))}</p>` : list.length === 0 ? html`<p class="muted">${message("lab.waiting")}</p>` : this.renderGuesses(list, hasEdits(edits), stale)}`;
  }

  private renderGuesses(list: readonly Guess[], edited: boolean, stale: boolean): TemplateResult {
    const right = (of: "original" | "edited"): number =>
      list.filter((guess) => isRight(guess[of], guess.comes)).length;
    const mean = (of: "original" | "edited"): string =>
      formatPercent(list.reduce((sum, guess) => sum + guess[of].truth, 0) / list.length);
    const sums = {
      before: right("original"),
      after: right("edited"),
      all: list.length,
      meanBefore: mean("original"),
      meanAfter: mean("edited"),
    };
    return html`<p class="sum numbers" role="status" aria-busy=${stale}>${message(edited ? "cheat.sum" : "cheat.sumPlain", sums)}</p>
      <headscope-save-figure name="next-words" .heading=${message("cheat.title")} .table=${tableOf(list, edited)} .stale=${stale}><div class="wide" tabindex="0" role="group" aria-label=${message("cheat.table")}>
        <table>
          <caption class="visually-hidden">${message("cheat.table")}</caption>
          <thead>
            <tr>
              <th scope="col">${message("cheat.comes")}</th>
              <th scope="col">${message("cheat.before")}</th>
              <th scope="col">${message("cheat.truth")}</th>
              ${edited ? html`<th scope="col">${message("cheat.after")}</th><th scope="col">${message("cheat.truth")}</th>` : nothing}
            </tr>
          </thead>
          <tbody>
            ${list.map(
              (guess) => html`<tr>
                <th scope="row"><bdi>${tokenLabel(guess.after)}</bdi> → <b><bdi>${tokenLabel(guess.comes)}</bdi></b></th>
                ${this.renderWord(guess, guess.original)} ${edited ? this.renderWord(guess, guess.edited) : nothing}
              </tr>`,
            )}
          </tbody>
        </table>
      </div></headscope-save-figure>`;
  }

  private renderWord({ after, comes }: Guess, word: NextWord): TemplateResult {
    const right = isRight(word, comes);
    const label = predictionLabel(word.best, after, this.on?.model?.info ?? null);
    return html`<td class=${right ? "right" : ""}>${right ? "✓ " : ""}<bdi>${right ? tokenLabel(comes) : label}</bdi> ${formatPercent(word.best.probability)}</td>
      <td>${formatPercent(word.truth)}</td>`;
  }

  private readonly removeMask = (): void => {
    const { edits } = this.on ?? {};
    if (edits)
      patch(this, {
        edits: addRule(edits, {
          stack: "decoder",
          mode: "replace",
          invert: false,
          preset: { kind: "none" },
        }),
      });
  };
}

/** The same words as a file has them, without and with the rules. */
function tableOf(list: readonly Guess[], edited: boolean): FigureTable {
  const [comes, before, after, truth] = (
    ["cheat.comes", "cheat.before", "cheat.after", "cheat.truth"] as const
  ).map((key) => message(key));
  const words = (after: Token, { best, truth: share }: NextWord): (string | number)[] => [
    pieceText(best, after),
    best.probability,
    share,
  ];
  const named = (side = ""): string[] => [side, `${side} p`, `${side} ${truth}`];
  return {
    columns: ["", comes ?? "", ...named(before), ...(edited ? named(after) : [])],
    rows: list.map((guess) => [
      guess.after.text,
      guess.comes.text,
      ...words(guess.after, guess.original),
      ...(edited ? words(guess.after, guess.edited) : []),
    ]),
  };
}

/** Whether a rule takes the mask of a whole decoder away. */
function opensDecoder({
  preset,
  mode,
  invert,
  stack = "decoder",
  layers,
  heads,
}: MaskEdit): boolean {
  return (
    preset?.kind === "none" &&
    mode === "replace" &&
    !invert &&
    stack === "decoder" &&
    !layers &&
    !heads
  );
}

/** Whether there is a decoder that is asked for the next word. */
function predictsNext({
  architecture,
  predicts,
}: {
  architecture: string;
  predicts: boolean;
}): boolean {
  return predicts && architecture !== "encoder";
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-mask-cheating": HeadscopeMaskCheating;
  }
}
