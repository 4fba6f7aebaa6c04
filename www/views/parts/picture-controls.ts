import {
  css,
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { customElement } from "lit/decorators.js";
import { type Palette, PALETTES, type Stage } from "../../data/index.js";
import { rampSwatch, sequentialRamp } from "../../draw/colours.js";
import { tokenLabel } from "../../elements/shared/templates.js";
import { formatPercent, message } from "../../i18n/index.js";
import { STAGES } from "../../state/index.js";
import { partStyles } from "../../ui/base-styles.js";
import { choice } from "../../ui/choice.js";
import { type Session, SessionPart } from "../session.js";

/** Looks of the picture panel: its choices above, the picture below. */
export const picturePanelStyles = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 16px;
  }

  .switches {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 20px;
  }

  .below {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 24px;
    margin: 8px 0 12px;
  }

  @media (max-height: 760px) {
    .below {
      margin: 4px 0;
    }
  }

  .tools {
    display: flex;
    align-items: center;
    gap: 16px;
    margin-left: auto;
  }

  /* Three lines: the pictures, what is shown of this one, and what that means. */
  @container (max-width: 820px) {
    .head {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0 12px;
      margin-bottom: 8px;
    }

    .controls,
    .below {
      display: contents;
    }

    .controls > headscope-choice {
      flex: 1 0 100%;
      --headscope-choice-gap: clamp(6px, 2.2cqw, 16px);
    }

    .switches {
      flex: 1 0 100%;
      gap: 4px 12px;
      --headscope-segment: 4px 10px;
    }

    /* Beside the menu, and never squeezed in beside the switches, of which some pictures have one alone. */
    .hint {
      flex: 1 1 50%;
    }

    headscope-narrow-menu {
      order: 1;
    }

    .tools {
      display: contents;
    }
  }

  .invitation {
    padding: 15vh 0;
    text-align: center;
    font: 400 20px/1.5 var(--headscope-font-text);
  }

  /* It takes a line as the sentence that follows it does, so that nothing moves. */
  .early {
    position: relative;
    display: flex;
    align-items: baseline;
    gap: 8px;
    white-space: nowrap;
  }
`;

/** What an attention sink is, where a head has one, and the offer to look at the other keys without it. */
@customElement("headscope-lens-note")
export class HeadscopeLensNote extends SessionPart {
  static override styles = [
    partStyles,
    css`
      aside {
        max-width: 62ch;
        margin: 20px auto 0;
        padding-left: 16px;
        border-left: 2px solid var(--headscope-line);
      }

      button {
        margin-top: 4px;
        color: var(--headscope-accent);
        font-weight: 600;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const { sink = null, lens, figures } = this.session.displayed ?? {};
    const token = sink && figures?.keys[sink.key];
    if (!sink || !token || !lens?.weightsOnly) return nothing;
    const left = lens.withoutSink;
    return html`<aside class="small muted" aria-label=${message("sink.label")}>
      <p>${message("sink.what", { token: tokenLabel(token), share: formatPercent(sink.share, 0) })} ${message("sink.why")}</p>
      <button aria-pressed=${left} @click=${() => this.session.update({ sink: left ? "kept" : "out" })}>${message("sink.without", { token: tokenLabel(token) })}</button>
    </aside>`;
  }
}

const COLOURS = 5;

/** Each colour map in a few of its colours, for either ground. */
const SWATCHES = Object.fromEntries(
  PALETTES.map((palette) => {
    const dark = rampSwatch(sequentialRamp(palette, "dark"), COLOURS);
    return [
      palette,
      rampSwatch(sequentialRamp(palette, "light"), COLOURS).map(
        (colour, index) => `light-dark(${colour}, ${dark[index] ?? colour})`,
      ),
    ];
  }),
) as Record<Palette, string[]>;

/** Which stage of the computation a picture shows. */
export function stageChoice(session: Session, stage: Stage): TemplateResult {
  return choice({
    label: message("stage.label"),
    look: "segments",
    values: STAGES,
    value: stage,
    show: (value) => message(`stage.${value}`),
    choose: (chosen) => session.update({ stage: chosen }),
  });
}

/** The colour map of weights, here and in the grid. */
export function colourChoice(session: Session, colours: Palette): TemplateResult {
  return choice({
    label: message("colours.label"),
    values: PALETTES,
    value: colours,
    show: (palette) => ({ label: message(`colours.${palette}`), swatch: SWATCHES[palette] }),
    choose: (chosen) => session.update({ colours: chosen }),
  });
}

/** The height of the window; the element renders again when it changes. */
export class WindowHeight implements ReactiveController {
  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  get height(): number {
    return window.innerHeight;
  }

  hostConnected(): void {
    window.addEventListener("resize", this.changed);
  }

  hostDisconnected(): void {
    window.removeEventListener("resize", this.changed);
  }

  private readonly changed = (): void => {
    this.host.requestUpdate();
  };
}
