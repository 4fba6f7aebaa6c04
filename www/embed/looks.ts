/**
 * What a page asks of a figure beside what it shows: its height and its theme. It is fetched where
 * a figure has such attributes, or others that few figures have.
 */
import type { FailedDetail } from "../elements/events.js";
import { nameUnknown, THEME, unreadable, type Unread } from "./attributes.js";
import type { Looked } from "./filling.js";
import { pictureIn } from "./heights.js";
import { wordsFor } from "./notice.js";
import { heightOf, Size, unreadOf } from "./size.js";

/** Keeps a figure in the height and the theme that its page asks for. */
export class Looks {
  private readonly size: Size;
  /** The attribute for which the figure is refused. */
  private refused: Unread | null = null;

  constructor(private readonly figure: Looked) {
    this.size = new Size(figure.host);
  }

  /** Sets both by the present attributes, and names those that no figure has. */
  set(): void {
    const { figure, refused } = this;
    nameUnknown(figure.host);
    const unread = this.setHeight();
    this.refused = this.setTheme() ?? unread;
    if (this.refused) void this.refuse(this.refused);
    // A figure that is filled is asked again.
    else if (refused && figure.isGiven) figure.clear();
  }

  private setHeight(): Unread | null {
    const { size, figure } = this;
    const { host, captionHeight } = figure;
    const unread = size.set();
    const height = heightOf(host);
    // Without the attribute the height is that of the property, if the page sets it.
    if ("highest" in host && size.isUsed)
      host.highest = height === null ? null : pictureIn(height - captionHeight);
    return unread;
  }

  private setTheme(): Unread | null {
    const { host } = this.figure;
    const theme = host.getAttribute(THEME);
    if (theme === "light" || theme === "dark") host.dataset.theme = theme;
    else delete host.dataset.theme;
    const isRead = host.dataset.theme !== undefined || theme === "system";
    return isRead ? null : unreadOf(host, THEME, "system | light | dark");
  }

  private async refuse(unread: Unread): Promise<void> {
    const { figure } = this;
    figure.stop();
    figure.notice.attach();
    const words: FailedDetail = await wordsFor(unreadable(unread));
    if (this.refused === unread) figure.notice.fail(words, figure.read);
  }
}
