/** Where a file of a model can be had. */
export interface Folder {
  /** Null if the folder has no such file. */
  open(file: string, signal: AbortSignal | undefined): Promise<OpenFile | null>;
  /** Where it would have a file, for messages; empty for files in memory. */
  addressOf(file: string): string;
}

/** A file whose bytes arrive piece by piece. */
export interface OpenFile {
  totalBytes: number | undefined;
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
}
