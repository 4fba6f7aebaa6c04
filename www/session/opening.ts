/** How files of the user are opened: a model, a study, a text or an image. */
import type { ModelInfo } from "../data/index.js";
import { formatBytes, type Locale, loadSentences } from "../i18n/index.js";
import type { ModelName, OpenedModel, State, Store } from "../state/index.js";
import type { Download } from "./models/download.js";
import type { ModelCache } from "./models/model-cache.js";
import type { PlacedFile } from "./models/picked-files.js";
import * as picked from "./models/picked-folder.js";
import type { Computation } from "./run/computation.js";
import { asFailure, sentenceOf } from "./run/failures.js";
import type { NoticeBoard } from "./run/notices.js";
import type { ShownImage } from "./run/shown-image.js";

/** The number of files that are named of a folder that is no model. */
const NAMED_FILES = 3;
/** The largest file that is taken as a text: no model reads more. */
const LARGEST_TEXT_BYTES = 1e6;

/** A folder that is read beside the model in use. */
export interface Opening {
  name: string;
  reading: AbortController;
  download: Download;
}

/** The parts of a session that opening a file reads and changes. */
interface Opener {
  readonly state: State;
  readonly store: Store;
  readonly locale: Locale;
  readonly notices: NoticeBoard;
  readonly models: ModelCache;
  readonly computation: Computation;
  readonly info: ModelInfo | null;
  readonly shownImage: ShownImage;
  opening: Opening | null;
  study(how: "open", file: File): Promise<void>;
  use(): void;
  switchTo(model: ModelName): void;
}

/** Opens the dropped or picked files, or reports why there is no model in them. */
export async function openPicked(session: Opener, placed: readonly PlacedFile[]): Promise<void> {
  const { notices } = session;
  const found = picked.studyFile(placed);
  if (found) return session.study("open", found);
  const id = picked.cachedModel(placed);
  const folder = picked.modelFolder(placed);
  notices.remove("notice.cache", "notice.noFiles", "notice.noModel", "notice.unopened");
  const failure = { code: "load/not-found" };
  if (id !== null) notices.post("notice.cache", { id }, failure);
  else if (folder === null) notices.post("notice.noFiles", {}, failure);
  else if (picked.isModelFolder(folder)) {
    const name = folder.name || (await picked.nameInConfig(folder.files));
    await openFolder(session, { ...folder, name });
  } else {
    const names = folder.files.slice(0, NAMED_FILES).map(({ name }) => name);
    notices.post("notice.noModel", { files: names.join(", ") }, failure);
  }
}

/** Reads a folder, and changes to its model once that can be used. */
async function openFolder(session: Opener, { name, files }: picked.PickedFolder): Promise<void> {
  const opened = session.models.add(name, files);
  // Without a model that works, or where the model itself is opened again, as after a repair of its
  // files, there is nothing to keep.
  if (opened === session.state.model) session.use();
  else if (session.computation.model === null) session.switchTo(opened);
  else if (await read(session, opened, name || opened)) session.switchTo(opened);
}

/** Reads a folder beside the model in use; returns whether it can be used. */
async function read(session: Opener, opened: OpenedModel, name: string): Promise<boolean> {
  session.opening?.reading.abort();
  const reading = new AbortController();
  const { signal } = reading;
  const follow = (download: Download): void => {
    if (!signal.aborted) session.opening = { name, reading, download };
  };
  try {
    await session.models.fetch(opened, signal, follow);
    return true;
  } catch (thrown) {
    session.models.remove(opened);
    await loadSentences("notices").catch(() => undefined);
    const { code, message: own } = asFailure(thrown);
    // The engine's own sentence names the file, and all families that open.
    const isFamily = code === "config/unsupported-family";
    const reason = isFamily ? session.locale.within(() => sentenceOf(thrown)) : own;
    if (!signal.aborted) session.notices.post("notice.unopened", { name, reason }, { code });
    return false;
  } finally {
    if (session.opening?.reading === reading) session.opening = null;
  }
}

/** Takes the text of a file in place of the present one. */
export async function openText({ notices, store }: Opener, file: File): Promise<void> {
  notices.remove("notice.text");
  const text = file.size > LARGEST_TEXT_BYTES ? null : await file.text().catch(() => null);
  if (text === null)
    notices.post("notice.text", { name: file.name, limit: formatBytes(LARGEST_TEXT_BYTES) });
  else
    store.step({
      text: text.trim(),
      chat: "off",
      target: null,
      masked: [],
      pairs: [],
      locked: null,
    });
}

/** Runs an image of the user; null stands for the sample. */
export async function openImage(session: Opener, file: Blob | null): Promise<void> {
  const { notices } = session;
  if (!session.info?.image && file !== null) {
    notices.post("notice.imageModel");
    return;
  }
  notices.remove("notice.imageModel");
  try {
    await session.shownImage.open(file);
  } catch {
    notices.post("notice.image", {}, { code: "input/bad-image" });
    return;
  }
  notices.remove("notice.image");
  session.computation.again();
}
