/** The two menus of the header: the page's settings, and all ways to share what it shows. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { message } from "../i18n/index.js";
import { Later } from "../ui/lazy.js";
import { PagePart } from "../ui/page-part.js";
import { Popover } from "../ui/popover.js";

const SETTINGS = new Later(() => import("./settings-sheet.js"), "menus");
const SHARING = new Later(() => import("./share-sheet.js"), "menus", "notices");

/** A button with a sheet below it, whose contents are loaded when it is first opened. */
abstract class PageMenu extends PagePart {
  static override styles = css`
    :host {
      display: inline-block;
    }
  `;

  private readonly sheet = new Popover(this, 300);

  protected abstract readonly name: "bar.settings" | "bar.share";
  protected abstract renderSheet(): TemplateResult | typeof nothing;

  override render(): TemplateResult {
    const { expanded } = this.sheet;
    const name = message(this.name);
    return html`<button
        class="muted"
        popovertarget="sheet"
        aria-haspopup="dialog"
        aria-expanded=${expanded}
      >
        ${name}
      </button>
      <div id="sheet" popover role="dialog" aria-label=${name}>
        ${expanded ? this.renderSheet() : nothing}
      </div>`;
  }
}

/** The language, the theme, the colours, the size and the backend of the page. */
@customElement("headscope-settings-menu")
export class HeadscopeSettingsMenu extends PageMenu {
  protected readonly name = "bar.settings";

  protected override renderSheet(): TemplateResult | typeof nothing {
    return SETTINGS.show(
      this,
      () => html`<headscope-settings-sheet></headscope-settings-sheet>`,
      180,
    );
  }
}

/** The link, the code of embeds, and the page as a file. */
@customElement("headscope-share-menu")
export class HeadscopeShareMenu extends PageMenu {
  protected readonly name = "bar.share";

  protected override renderSheet(): TemplateResult | typeof nothing {
    return SHARING.show(this, () => html`<headscope-share-sheet></headscope-share-sheet>`, 180);
  }
}
