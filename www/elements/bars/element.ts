import { LitElement, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { looks } from "../shared/looks.js";
import { styled } from "../shared/styled.js";
import { barsStyles } from "./styles.js";

/** One bar: its length is `value` of the element's `max`, and `text` is the number as read. */
export interface BarItem {
  label: string;
  value: number;
  text: string;
  /** One to find among the others, such as the right answer. */
  marked?: boolean;
}

/** A short list of shares: what a query looks at, what the model would write next. */
export class HeadscopeBars extends LitElement {
  static override styles = [looks, barsStyles];

  @property({ attribute: false }) items: BarItem[] = [];
  @property() heading = "";
  /** The value of a bar of full length. Shares of one whole keep 1, so that lengths compare between lists. */
  @property({ type: Number }) max = 1;

  protected override render(): TemplateResult {
    return html`
      ${this.heading === "" ? nothing : html`<h3>${this.heading}</h3>`}
      <ol>
        ${this.items.map(
          (item) => html`<li class=${classMap({ marked: item.marked ?? false })}>
            <span class="label" title=${item.label}><bdi>${item.label}</bdi></span>
            <span class="track" aria-hidden="true"><i style=${styled({ width: this.length(item.value) })}></i></span>
            <span class="text">${item.text}</span>
          </li>`,
        )}
      </ol>
    `;
  }

  private length(value: number): string {
    const drawn = this.max > 0 && value > 0 ? Math.min(1, value / this.max) : 0;
    return `${drawn * 100}%`;
  }
}
