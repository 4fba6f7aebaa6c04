/** The files that a user dropped or picked; `picked-folder` says what they are. */
import type { FileWithPath } from "file-selector";

/**
 * A file of a selection; the path of a dropped folder begins with `/`, that of a loose file with
 * `./`.
 */
export type PlacedFile = Pick<FileWithPath, "path"> & File;

/**
 * The files that were dropped or picked; called at once, because a browser empties an event after
 * it.
 */
export async function filesOf(event: Event): Promise<PlacedFile[]> {
  const kept = "dataTransfer" in event ? keptDrop(event as DragEvent) : keptChoice(event);
  const { fromEvent } = await import("file-selector");
  const files = await fromEvent(kept);
  return files.filter((file) => file instanceof File);
}

/** The chosen files of an input, which may be emptied. */
const keptChoice = ({ target }: Event): object => ({
  target: { files: [...((target as HTMLInputElement | null)?.files ?? [])] },
});

/** What was dropped, as it is while the event is handled. */
function keptDrop({ type, dataTransfer }: DragEvent): object {
  const items = [...(dataTransfer?.items ?? [])].map((item) => {
    const { kind } = item;
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    return { kind, webkitGetAsEntry: () => entry, getAsFile: () => file };
  });
  return { type, dataTransfer: { items } };
}
