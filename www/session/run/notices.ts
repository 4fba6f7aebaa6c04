import { formatList, type Locale, type MessageKey, PAGE_LOCALE } from "../../i18n/index.js";
import { tracked } from "../../signals.js";
import type { Decoded } from "../../state/index.js";

/** The commands that a user can give besides a change of the State. */
export type Command =
  | "undo"
  | "redo"
  | "cancel-download"
  | "load-model"
  | "stop-run"
  | "run-again"
  | "shorten-text"
  | "save-page";

interface Notice {
  key: MessageKey;
  values: Record<string, string>;
  /** Values that have a name of their own in each language. */
  names?: Record<string, MessageKey>;
  /** The code of what could not be loaded or done, the same in every language. */
  code?: string;
  action?: { command: Command; label: MessageKey };
}

/** The sentences that stay on the page until they are dismissed; each at most once. */
export class NoticeBoard {
  @tracked list: readonly Notice[] = [];
  private fitsLink = true;
  /** The parts of the last address or file that could not be read. */
  private unread: readonly string[] = [];

  /** `locale` is the language of the sentences: of the page, or of an explorer with its own. */
  constructor(private readonly locale: Locale = PAGE_LOCALE) {}

  post(
    key: MessageKey,
    values: Record<string, string> = {},
    more: Pick<Notice, "action" | "code" | "names"> = {},
  ): void {
    this.list = [...this.list.filter((notice) => notice.key !== key), { key, values, ...more }];
  }

  remove(...keys: readonly MessageKey[]): void {
    if (!this.list.some(({ key }) => keys.includes(key))) return;
    this.list = this.list.filter(({ key }) => !keys.includes(key));
    if (keys.includes("notice.hash")) this.unread = [];
  }

  /**
   * Names the parts of an address or a file that could not be read, in place of those of the one
   * before.
   */
  report({ unread, newer }: Pick<Decoded, "unread" | "newer">): void {
    this.remove("notice.hash", "notice.hashVersion", "notice.hashTooLong");
    if (newer) this.post("notice.hashVersion", {}, { code: "link/newer" });
    if (unread.includes("#")) this.post("notice.hashTooLong", {}, { code: "link/too-long" });
    else this.reportMore(unread);
  }

  /**
   * Names further parts of the last address or file that could not be read: they are known only
   * after the requested things are fetched, and may be found twice.
   */
  reportMore(unread: readonly string[]): void {
    if (unread.length === 0) return;
    this.unread = [...new Set([...this.unread, ...unread])];
    const fields = this.locale.within(() => formatList(this.unread));
    this.post("notice.hash", { fields }, { code: "link/unread" });
  }

  /**
   * Offers a file once when the State is too long for a link, and removes the offer when it fits
   * again.
   */
  followLength(fits: boolean): void {
    if (fits) this.remove("notice.noLink");
    else if (this.fitsLink) this.offerFile();
    this.fitsLink = fits;
  }

  offerFile(): void {
    const action = { command: "save-page", label: "foot.save" } as const;
    this.post("notice.noLink", {}, { code: "link/too-much", action });
  }
}
