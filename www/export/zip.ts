/** Several files as one: a zip file with a folder. */
import { zipSync } from "fflate";

/** Puts files into a folder of a zip file, stored as they are: weights do not compress. */
export async function zipped(folder: string, files: readonly File[]): Promise<Blob> {
  const entries = files.map(async (file): Promise<[string, Uint8Array]> => [
    `${folder}/${file.name}`,
    new Uint8Array(await file.arrayBuffer()),
  ]);
  const bytes = zipSync(Object.fromEntries(await Promise.all(entries)), { level: 0 });
  return new Blob([new Uint8Array(bytes)], { type: "application/zip" });
}
