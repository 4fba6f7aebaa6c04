/** A page as a file: its State, beside it the image of its user. */
import { download } from "../export/download.js";
import { formatBytes } from "../i18n/index.js";
import { isRecord, jsonIn } from "../data/shape.js";
import { decodeFile, encodeFile, LARGEST_FILE_BYTES } from "../state/file.js";
import { DEFAULT_STATE, type State } from "../state/index.js";
import { encodeJson } from "../state/json.js";
import type { NoticeBoard } from "./run/notices.js";

/** The largest image of a saved page, where base64 makes four letters of three bytes. */
const LARGEST_IMAGE_BYTES = (LARGEST_FILE_BYTES * 3) / 4;

/** The image of the user that a saved page has beside the State, as a `data:` URL. */
export interface PageImage {
  /** Resolves to null where the page shows no image, or the sample. */
  written: () => Promise<string | null>;
  /** Shows an image, or with null the sample; rejects for what the browser cannot read. */
  read: (url: string | null) => Promise<void>;
}

/** Saves a page, with the image of its user, as a file that is named after its text. */
export async function savePage(
  state: State,
  notices: NoticeBoard,
  image: PageImage,
): Promise<void> {
  const text = encodeFile(state, await image.written());
  const file = new Blob([text], { type: "application/json" });
  notices.remove("notice.largeImage");
  if (file.size > LARGEST_FILE_BYTES) {
    notices.post(
      "notice.largeImage",
      { limit: formatBytes(LARGEST_IMAGE_BYTES) },
      { code: "input/bad-image" },
    );
    return;
  }
  const words = state.text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const name = words.slice(0, 40).trim() || "page";
  await download(file, `${name}.json`);
}

/** Whether two pages have one file, but for the image. */
export const isSamePage = (one: State, other: State): boolean =>
  encodeFile(one) === encodeFile(other);

/** The field that only the file of a lesson has. */
const LESSON_FIELD = "headscope-lesson";

/**
 * What a file says: a page, or a lesson, which is checked when it opens, in the looks of the
 * present page.
 */
function contentOf(text: string, now: State): ReturnType<typeof decodeFile> {
  const json = jsonIn(text);
  if (!isRecord(json) || !(LESSON_FIELD in json)) return decodeFile(text);
  const { backend, colours, theme, language } = now;
  const lesson = `${encodeJson(json)}.1`;
  const state = { ...DEFAULT_STATE, backend, colours, theme, language, lesson };
  return { state, named: ["lesson", "backend"], unread: [], newer: false };
}

/**
 * What a file says of a page or a lesson, whose image is shown by then; null after a notice that
 * says why it cannot be shown. `now` is the State of the present page.
 */
export async function openedPage(
  file: File,
  now: State,
  notices: NoticeBoard,
  image: PageImage,
): Promise<Exclude<ReturnType<typeof decodeFile>, string> | null> {
  // A file may be moved or forbidden after it was picked.
  const decoded =
    file.size > LARGEST_FILE_BYTES
      ? "too-large"
      : await file.text().then(
          (text) => contentOf(text, now),
          () => "unreadable" as const,
        );
  if (typeof decoded === "string") {
    const code = `file/${decoded}` as const;
    notices.post(`error.${code}`, {}, { code });
    return null;
  }
  const { needs } = decoded;
  notices.remove("notice.needs");
  if (needs !== undefined && needs !== now.model) {
    notices.post("notice.needs", { name: needs.slice(needs.indexOf("/") + 1) });
    return null;
  }
  notices.remove("notice.image");
  try {
    await image.read(decoded.image ?? null);
  } catch {
    notices.post("notice.image", {}, { code: "input/bad-image" });
    return null;
  }
  return decoded;
}
