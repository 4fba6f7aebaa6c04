import { css, html, type PropertyValues, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import type { HeadRef, PositionOrigins, StepCell, StepPlace } from "../../data/index.js";
import type { Print, Inks } from "../../draw/theme.js";
import { emit } from "../events.js";
import { STEP_PLACE, TEXT, given, orNull, record } from "../shared/checked.js";
import { PARTS, define } from "../shared/controllers.js";
import { sceneOf, type Scene } from "../shared/figure.js";
import { setProperties } from "../shared/templates.js";
import { BlockFigure, cellWords } from "./block.js";
import { type TrailPlace, waysBack, HeadscopeSum } from "./explanation.js";
import { HeadscopeStrip } from "./strip.js";

const INNER = PARTS.join();

/**
 * The steps of a block: the strip of its matrices, the computation of the number in focus, and the trail of traced numbers.
 * The page sets `explanation` for the hovered number, or else for the locked one.
 *
 * @fires headscope-number-hover - the cell under the pointer, or null
 * @fires headscope-number-go - the number to lock, in this block or another; null to unlock
 */
export class HeadscopeSteps extends BlockFigure {
  static override styles = css`
    :host {
      min-width: 0;
    }
    /* At any number of terms the page below does not move. */
    headscope-sum {
      min-height: 380px;
    }
  `;

  @given(orNull(STEP_PLACE)) place: StepPlace | null = null;
  /** The origin of the positional encodings; null where unknown. */
  @given(orNull(record({ encoder: TEXT, decoder: TEXT }))) origins: PositionOrigins | null = null;

  @state() private trail: readonly TrailPlace[] = [];
  @query("headscope-strip") private readonly strip!: HeadscopeStrip;
  private traced: StepPlace | null = null;

  /** The whole strip for files. Null when there is none. */
  print(inks: Inks): Print | null {
    return this.strip.print(inks);
  }

  snapshot(): Scene {
    return sceneOf(this.strip);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A head that the trace did not lead to was chosen.
    if (changed.has("head") && this.head && this.traced && !isOfHead(this.traced, this.head))
      this.trail = [];
  }

  protected override render(): TemplateResult {
    const { steps, head, heads, held, colours, place, origins, explanation, trail } = this;
    const { tokenTypes, unusual, queries, keys } = this;
    const shared = { explanation, tokenTypes, unusual, queries, keys };
    return html`
      <headscope-strip
        exportparts=${INNER}
        ${setProperties({ ...shared, steps, head, heads, held, colours })}
        @headscope-number-hold=${this.hold}
        @headscope-number-trace=${this.trace}
        @headscope-number-back=${this.back}
      ></headscope-strip>
      <headscope-sum
        exportparts=${INNER}
        ${setProperties({ ...shared, place, origins, trail })}
        @headscope-number-follow=${(event: CustomEvent<StepPlace>) => this.follow(event.detail)}
        @headscope-number-return=${(event: CustomEvent<number>) => this.returnTo(event.detail)}
      ></headscope-sum>
    `;
  }

  private readonly hold = ({ detail: cell }: CustomEvent<StepCell>): void => {
    this.trail = [];
    if (this.head) this.go({ ...this.head, ...cell });
  };

  /** One step back, to the largest term of the number. */
  private readonly trace = (): void => {
    const [first] = this.explanation ? waysBack(this.explanation) : [];
    if (first) this.follow(first);
  };

  private follow(to: StepPlace): void {
    // The explained number, which may be the hovered instead of the locked one.
    const { place } = this;
    if (!place) return;
    this.trail = [...this.trail, { place, words: cellWords(place, this.labels) }];
    this.go(to);
  }

  private readonly back = (): void => {
    if (this.trail.length > 0) this.returnTo(this.trail.length - 1);
    else this.go(null);
  };

  private returnTo(index: number): void {
    const to = this.trail[index];
    this.trail = this.trail.slice(0, index);
    if (to) this.go(to.place);
  }

  private go(to: StepPlace | null): void {
    this.traced = to;
    emit(this, "headscope-number-go", to);
  }
}

function isOfHead(place: StepPlace, { stack, layer, head }: HeadRef): boolean {
  return place.stack === stack && place.layer === layer && place.head === head;
}

define("headscope-strip", HeadscopeStrip);
define("headscope-sum", HeadscopeSum);
define("headscope-steps", HeadscopeSteps);
