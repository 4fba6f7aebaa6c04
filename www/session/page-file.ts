/** A page as a file: its State, beside it the image of its user. */
import { download } from "../export/download.js";
import { formatBytes } from "../i18n/index.js";
import { decodeFile, encodeFile, LARGEST_FILE_BYTES, type State } from "../state/index.js";
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

/**
 * What a file says of a page, whose image is shown by then; null after a notice that says why the
 * page cannot be shown. `model` is the model of the present page.
 */
export async function openedPage(
  file: File,
  model: string,
  notices: NoticeBoard,
  image: PageImage,
): Promise<Exclude<ReturnType<typeof decodeFile>, string> | null> {
  // A file may be moved or forbidden after it was picked.
  const decoded =
    file.size > LARGEST_FILE_BYTES
      ? "too-large"
      : await file.text().then(decodeFile, () => "unreadable" as const);
  if (typeof decoded === "string") {
    const code = `file/${decoded}` as const;
    notices.post(`error.${code}`, {}, { code });
    return null;
  }
  const { needs } = decoded;
  notices.remove("notice.needs");
  if (needs !== undefined && needs !== model) {
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
