import { formatList, type MessageKey } from "../../i18n/index.js";
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
  | "copy-link"
  | "save-page"
  | "show-keys"
  | "start-tour";

/** A sentence that stays until it is dismissed. */
export interface Notice {
  key: MessageKey;
  values: Record<string, string>;
  /** Values that have a name of their own in each language. */
  names?: Record<string, MessageKey>;
  /** Of what could not be had or done, the same in every language. */
  code?: string;
  /** What can be done about it. */
  action?: { command: Command; label: MessageKey };
}

const SAVE = { command: "save-page", label: "foot.save" } as const;

/** The sentences that stay on the page until they are dismissed; of each only one. */
export class NoticeBoard {
  @tracked list: readonly Notice[] = [];
  private fitsLink = true;
  /** What of the last address or file could not be read. */
  private unread: readonly string[] = [];

  post(
    key: MessageKey,
    values: Record<string, string> = {},
    more: Pick<Notice, "action" | "code" | "names"> = {},
  ): void {
    this.list = [...this.list.filter((notice) => notice.key !== key), { key, values, ...more }];
  }

  take(key: MessageKey): void {
    if (!this.list.some((notice) => notice.key === key)) return;
    this.list = this.list.filter((notice) => notice.key !== key);
    if (key === "notice.hash") this.unread = [];
  }

  /** Says what of an address or a file could not be read; what was said of the one before is over. */
  report({ unread, newer }: Pick<Decoded, "unread" | "newer"> & Partial<Decoded>): void {
    for (const key of ["notice.hash", "notice.hashVersion", "notice.hashTooLong"] as const)
      this.take(key);
    if (newer) this.post("notice.hashVersion", {}, { code: "link/newer" });
    if (unread.includes("#")) this.post("notice.hashTooLong", {}, { code: "link/too-long" });
    else this.reportMore(unread);
  }

  /** Says what else of it could not be: that is known when what it asks for has been fetched, and may be found twice. */
  reportMore(unread: readonly string[]): void {
    if (unread.length === 0) return;
    this.unread = [...new Set([...this.unread, ...unread])];
    this.post("notice.hash", { fields: formatList(this.unread) }, { code: "link/unread" });
  }

  /** Says once that the page has become too much for a link, and no longer when it fits again. */
  followLength(fits: boolean): void {
    if (fits) this.take("notice.noLink");
    else if (this.fitsLink) this.offerFile();
    this.fitsLink = fits;
  }

  /** What is too much for a link can be handed on as a file. */
  offerFile(): void {
    this.post("notice.noLink", {}, { code: "link/too-much", action: SAVE });
  }
}
