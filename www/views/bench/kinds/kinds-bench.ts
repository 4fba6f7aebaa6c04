import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { AttentionEdit, HeadRef } from "../../../data/index.js";
import { message } from "../../../i18n/index.js";
import {
  addKind,
  ATTENTION_KINDS,
  changeKind,
  CHEAP_KINDS,
  KIND_PARTS,
  kindEdit,
  kindValues,
  MODEL_KIND,
  removeEdit,
  SCORE_KINDS,
  scopeAt,
  type AttentionKind,
} from "../../../state/index.js";
import { patch } from "../../parts/events.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { openByKeys } from "../adding-list.js";
import { saysMore, type OnBench } from "../on-bench.js";
import { ruleStyles } from "../rule-styles.js";
import { kindReport } from "../../demos/kind-report.js";
import { scores } from "../../demos/scores.js";
import { renderUnread } from "../unread.js";
import "./kind-rule.js";

/** How heads come to their weights: edits one below the other, and what the head that is looked at takes under them. */
@customElement("headscope-kinds-bench")
export class HeadscopeKindsBench extends PagePart {
  static override styles = [
    partStyles,
    ruleStyles,
    css`
      .foot {
        padding: 10px 0;
        border-top: 1px solid var(--headscope-line);
      }

      headscope-demo {
        display: block;
        margin-top: 16px;
        padding-top: 12px;
        border-top: 1px solid var(--headscope-line);
      }

      .intro {
        padding-bottom: 10px;
      }
    `,
  ];

  @property({ attribute: false, hasChanged: saysMore }) on: OnBench | null = null;

  override render(): TemplateResult {
    const { on } = this;
    if (!on?.head || !on.run) return renderUnread(on?.text ?? "");
    const { edits, head, run } = on;
    return html`<p class="muted intro">${message("kindBench.intro")}</p>
      ${repeat(
        edits.attention,
        (_, index) => index,
        (edit, index) =>
          html`<headscope-kind-rule .number=${index + 1} .edit=${edit} .head=${head} .tokens=${run.tokens.length} @headscope-kind=${(event: CustomEvent<AttentionEdit | null>) => this.put(on, index, event.detail)}></headscope-kind-rule>`,
      )}
      <div class="foot">
        <label>
          ${message("kindBench.add")}
          <select id="add" aria-label=${message("kindBench.add")} @keydown=${openByKeys} @change=${(event: Event) => this.add(event, on, head)}>
            <option value="" .selected=${true}>${message("rule.choose")}</option>
            ${this.renderKinds("kindBench.scores", SCORE_KINDS, head)} ${this.renderKinds("kindBench.cheaper", CHEAP_KINDS, head)}
          </select>
        </label>
        ${CHEAP_KINDS.some((kind) => !holdsIn(kind, head)) ? html`<p class="small muted">${message("kindBench.disabled")}</p>` : nothing}
      </div>
      <headscope-demo .demo=${kindReport} .on=${on}></headscope-demo>
      <headscope-demo .demo=${scores}></headscope-demo>`;
  }

  private renderKinds(
    title: "kindBench.scores" | "kindBench.cheaper",
    kinds: readonly AttentionKind[],
    head: HeadRef,
  ): TemplateResult {
    return html`<optgroup label=${message(title)}>
      ${kinds.map((kind) => html`<option value=${kind} ?disabled=${!holdsIn(kind, head)}>${message(`kind.${kind}`)}</option>`)}
    </optgroup>`;
  }

  private put({ edits }: OnBench, index: number, edit: AttentionEdit | null): void {
    patch(this, {
      edits: edit
        ? changeKind(edits, index, edit)
        : removeEdit(edits, { list: "attention", index }),
    });
  }

  private add({ target }: Event, { edits }: OnBench, head: HeadRef): void {
    if (!(target instanceof HTMLSelectElement)) return;
    const kind = ATTENTION_KINDS.find((one) => one === target.value);
    target.value = "";
    if (kind)
      patch(this, {
        edits: addKind(
          edits,
          kindEdit({ ...MODEL_KIND, ...kindValues({ kind }) }, scopeAt("head", head)),
        ),
      });
  }
}

function holdsIn(kind: AttentionKind, { stack }: HeadRef): boolean {
  return KIND_PARTS[kind].stacks?.includes(stack) !== false;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-kinds-bench": HeadscopeKindsBench;
  }
}
