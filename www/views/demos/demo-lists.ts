import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { message, type MessageKey } from "../../i18n/index.js";
import { choice } from "../../ui/choice.js";
import { Later } from "../../ui/lazy.js";
import { SessionPart } from "../session.js";
import type { Demo } from "./demo.js";
import { MASK_DEMOS, POSITION_DEMOS } from "./fields.js";
import { Settings } from "./settings.js";

type Name = (typeof MASK_DEMOS | typeof POSITION_DEMOS)[number];

/** A demo is fetched, with what draws it, when it is first shown. */
const DEMOS: Readonly<Record<Name, { label: MessageKey; later: Later<Demo> }>> = {
  stages: listed("stages.title", async () => (await import("./stages.js")).stages),
  cost: listed("cost.title", async () => (await import("./cost.js")).cost),
  cheat: listed("cheat.title", async () => (await import("./cheating.js")).cheating),
  pad: listed("pad.title", async () => (await import("./padding.js")).padding),
  sinusoidal: listed("posLab.sinusoidal", async () => (await import("./sinusoidal.js")).sinusoidal),
  learned: listed("posLab.learned", async () => (await import("./learned.js")).learned),
  rotary: listed("posLab.rotary", async () => (await import("./rotary.js")).rotary),
  alibi: listed("posLab.alibi", async () => (await import("./alibi.js")).alibi),
  buckets: listed("posLab.buckets", async () => (await import("./buckets.js")).buckets),
  fourTerms: listed("posLab.fourTerms", async () => (await import("./four-terms.js")).fourTerms),
};

function listed(label: MessageKey, fetch: () => Promise<Demo>) {
  const both = (): Promise<[Demo, unknown]> => Promise.all([fetch(), import("./demo-element.js")]);
  return { label, later: new Later(async () => (await both())[0]) };
}

/** The height in pixels that a demo takes until it is fetched. */
const PLACE_HEIGHT = 320;

abstract class DemoList extends SessionPart {
  static override styles = css`
    details {
      border-top: 1px solid var(--_line);
    }
    summary {
      margin: 0;
      padding: 8px 0;
      color: inherit;
      font-weight: 600;
    }
    headscope-demo {
      padding-bottom: 16px;
    }
    headscope-choice {
      margin: 8px 0 16px;
    }
  `;

  protected renderFold(
    title: MessageKey,
    open: boolean,
    put: (open: boolean) => void,
    content: () => unknown,
  ): TemplateResult {
    const toggled = ({ currentTarget }: Event): void => {
      const now = currentTarget instanceof HTMLDetailsElement && currentTarget.open;
      if (now !== open) put(now);
    };
    return html`<details ?open=${open} @toggle=${toggled}><summary>${message(title)}</summary>${open ? content() : nothing}</details>`;
  }

  protected renderDemo(name: Name): TemplateResult | typeof nothing {
    const show = (demo: Demo): TemplateResult =>
      html`${keyed(demo, html`<headscope-demo .demo=${demo}></headscope-demo>`)}`;
    return DEMOS[name].later.show(this, show, PLACE_HEIGHT);
  }
}

/** What mask rules do besides the picture of the head: each demo computes only while it is folded out. */
@customElement("headscope-mask-demos")
export class HeadscopeMaskDemos extends DemoList {
  private readonly settings = new Settings(this, "masks");

  override render(): TemplateResult {
    const { open } = this.settings.values;
    return html`${MASK_DEMOS.map((name) => {
      const put = (now: boolean): void =>
        this.settings.set("open", now ? [...open, name] : open.filter((one) => one !== name));
      const content = (): unknown => this.renderDemo(name);
      return this.renderFold(DEMOS[name].label, open.includes(name), put, content);
    })}`;
  }
}

/** How each scheme of positions works, apart from any text; the learned table alone is that of the model. */
@customElement("headscope-position-demos")
export class HeadscopePositionDemos extends DemoList {
  private readonly settings = new Settings(this, "places");

  override render(): TemplateResult {
    const { settings } = this;
    const { open, part } = settings.values;
    return this.renderFold(
      "posLab.title",
      open,
      (now) => settings.set("open", now),
      () => html`<p class="small muted">${message("posLab.intro")}</p>
        ${choice(
          message("posLab.which"),
          POSITION_DEMOS,
          part,
          (name) => message(DEMOS[name].label),
          (name) => settings.set("part", name),
          "tabs",
        )}
        ${this.renderDemo(part)}`,
    );
  }
}
