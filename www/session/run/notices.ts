import { formatList, type Locale, type MessageKey, PAGE_LOCALE } from "../../i18n/index.js";
import { tracked } from "../../signals.js";
import type { Decoded } from "../../state/index.js";

/** What a person can ask for besides a change of the State. */
export type Command =
  | "undo"
  | "redo"
  | "cancel-download"
  | "load-model"
  | "stop-run"
  | "run-again"
  | "shorten-text"
  | "copy-link"
  | "save-page";

interface Notice {
  key: MessageKey;
  values: Record<string, string>;
  /** Values that have a name of their own in each language. */
  names?: Record<string, MessageKey>;
  /** Of what could not be had or done, the same in every language. */
  code?: string;
  action?: { command: Command; label: MessageKey };
}

/** The sentences that stay on the page until they are dismissed; of each only one. */
export class NoticeBoard {
  @tracked list: readonly Notice[] = [];
  private fitsLink = true;
  /** What of the last address or file could not be read. */
  private unread: readonly string[] = [];

  /** Its sentences stand on a page, or in an explorer with a language of its own. */
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
   * Names what of an address or a file could not be read, in place of what was named of the one
   * before.
   */
  report({ unread, newer }: Pick<Decoded, "unread" | "newer">): void {
    this.remove("notice.hash", "notice.hashVersion", "notice.hashTooLong");
    if (newer) this.post("notice.hashVersion", {}, { code: "link/newer" });
    if (unread.includes("#")) this.post("notice.hashTooLong", {}, { code: "link/too-long" });
    else this.reportMore(unread);
  }

  /**
   * Names what else of it could not be: that is known when what it asks for has been fetched, and
   * may be found twice.
   */
  reportMore(unread: readonly string[]): void {
    if (unread.length === 0) return;
    this.unread = [...new Set([...this.unread, ...unread])];
    const fields = this.locale.within(() => formatList(this.unread));
    this.post("notice.hash", { fields }, { code: "link/unread" });
  }

  /**
   * Offers a file once when the page has become too much for a link, and no longer when it fits
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
