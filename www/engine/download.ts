/** Downloads of a file from a server, continued after a lost connection. */

import type { LoadProgress } from "./contract.js";
import { HeadscopeError } from "./errors.js";
import {
  accept,
  attempt,
  isBusy,
  networkFailure,
  notFetched,
  type RemoteFile,
  request,
} from "./fetch-file.js";

/** The destination of a file's bytes while they arrive. */
export interface Sink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<unknown>;
  /** Discards the bytes written so far. */
  restart(): Promise<unknown>;
  /** Returns the complete file; `version` names it until it changes. */
  close(version: string | null): Promise<Blob>;
  /** Discards the file. */
  abort(): Promise<unknown>;
}

export interface DownloadOptions {
  signal?: AbortSignal;
  onProgress?: (progress: LoadProgress) => void;
  headers?: Record<string, string>;
}

/** The most retries after lost connections and answers of a busy server, for each file. */
const MOST_RETRIES = 5;
/** The longest pause that a busy server may ask for. */
const MOST_WAIT_SECONDS = 300;

/**
 * A file's version, for comparison of answers, and its length; both null if the file is compressed
 * in transit.
 */
export interface FileFacts {
  version: string | null;
  bytes: number | null;
}

function factsOf({ headers }: Response): FileFacts {
  // A file that is compressed in transit has another length and version.
  if (headers.get("content-encoding") !== null) return { version: null, bytes: null };
  const length = headers.get("content-length");
  const etag = headers.get("etag");
  // A weak tag may be shared by other bytes.
  const version = etag === null || etag.startsWith("W/") ? headers.get("last-modified") : etag;
  return {
    version: version === "" ? null : version,
    bytes: length === null ? null : Number(length),
  };
}

/**
 * Length and version of a file without its contents; null if the server has no such file.
 * @throws what `request` and `accept` throw
 */
export async function facts(
  file: RemoteFile,
  { signal, headers = {} }: DownloadOptions,
): Promise<FileFacts | null> {
  const init = { headers, ...(signal && { signal }) };
  let response = await request(file, { ...init, method: "HEAD" });
  // A signed address may allow GET requests alone.
  if (!response.ok && response.status !== 404) response = await request(file, init);
  await response.body?.cancel();
  const found = accept(file, response);
  return found && factsOf(found);
}

/**
 * Downloads a file, with progress; null if the server has no such file. A lost connection is
 * continued behind the last byte, if the server still has the same file.
 * @throws load/unauthorized, load/busy, load/changed, load/wrong-length, load/no-room, and what
 *   `request` throws
 */
export function download(
  file: RemoteFile,
  options: DownloadOptions,
  open: (bytes: number | null) => Promise<Sink>,
): Promise<Blob | null> {
  return new Transfer(file, options).run(open);
}

class Transfer {
  #facts: FileFacts = { version: null, bytes: null };
  #received = 0;
  #retries = 0;
  #hasChanged = false;

  constructor(
    private readonly file: RemoteFile,
    private readonly options: DownloadOptions,
  ) {}

  async run(open: (bytes: number | null) => Promise<Sink>): Promise<Blob | null> {
    let response = accept(this.file, await this.#ask());
    if (response === null) return null;
    this.#facts = factsOf(response);
    const sink = await open(this.#facts.bytes);
    try {
      for (;;) {
        try {
          await this.#read(response, sink);
          return await sink.close(this.#facts.version);
        } catch (thrown) {
          response = await this.#continue(sink, thrown);
        }
      }
    } catch (thrown) {
      await sink.abort().catch(() => undefined);
      throw thrown;
    }
  }

  /** Writes the body of a response to its end. */
  async #read(response: Response, sink: Sink): Promise<void> {
    const { file, options } = this;
    const { bytes } = this.#facts;
    const reader = response.body?.getReader();
    const read = async (): Promise<Uint8Array<ArrayBuffer> | undefined> =>
      (await reader?.read())?.value;
    try {
      for (;;) {
        const part = await attempt(file, read).catch((thrown: unknown) => {
          options.signal?.throwIfAborted();
          throw networkFailure(file, thrown);
        });
        options.signal?.throwIfAborted();
        this.#received += part?.byteLength ?? 0;
        const isWrong = part ? this.#received > (bytes ?? Infinity) : this.#received !== bytes;
        if (bytes !== null && isWrong) {
          const got = `${this.#received} bytes instead of ${bytes}`;
          throw notFetched("load/wrong-length", file, got);
        }
        if (part === undefined) return;
        await sink.write(part);
        this.#report();
      }
    } finally {
      await reader?.cancel().catch(() => undefined);
    }
  }

  /**
   * The response after a lost connection: the missing rest of the file, or all of it from the first
   * byte.
   */
  async #continue(sink: Sink, lost: unknown): Promise<Response> {
    const isLost = lost instanceof HeadscopeError && lost.code === "load/network";
    if (!isLost || this.#retries === MOST_RETRIES) throw lost;
    await this.#wait(2 ** this.#retries++);
    try {
      return await this.#askForRest(sink);
    } catch (thrown) {
      return this.#continue(sink, thrown);
    }
  }

  async #askForRest(sink: Sink): Promise<Response> {
    const { file } = this;
    const { version } = this.#facts;
    const headers: Record<string, string> = {};
    if (version !== null && this.#received > 0) {
      headers.Range = `bytes=${this.#received}-`;
      // Another origin would need a preflight request for this header; its response shows a change
      // as well.
      if (isOwnOrigin(file.url)) headers["If-Range"] = version;
    }
    let answer = await this.#ask(headers);
    const isSame = answer.status === 206 && factsOf(answer).version === version;
    const from = /^bytes (\d+)-/.exec(answer.headers.get("content-range") ?? "")?.[1];
    if (isSame && Number(from ?? this.#received) === this.#received) return answer;
    if (answer.status !== 200) {
      // The server has no such range, or one of another version.
      await answer.body?.cancel().catch(() => undefined);
      answer = await this.#ask();
    }
    const whole = accept(file, answer);
    const now = whole && factsOf(whole);
    const isOther = now?.version !== version;
    if (whole === null || now === null || (isOther && this.#hasChanged))
      throw notFetched("load/changed", file, "a file that changes while it is fetched");
    this.#hasChanged ||= isOther;
    await sink.restart();
    this.#received = 0;
    this.#facts = now;
    return whole;
  }

  /** The response of the server, which is asked again while it is busy. */
  async #ask(more: Record<string, string> = {}): Promise<Response> {
    const { signal, headers } = this.options;
    const init = { headers: { ...headers, ...more }, ...(signal && { signal }) };
    for (;;) {
      const response = await request(this.file, init);
      if (!isBusy(response)) return response;
      const seconds = secondsOf(response.headers.get("retry-after")) ?? 2 ** this.#retries;
      if (this.#retries === MOST_RETRIES || seconds > MOST_WAIT_SECONDS) return response;
      this.#retries += 1;
      await response.body?.cancel().catch(() => undefined);
      await this.#wait(seconds);
    }
  }

  async #wait(seconds: number): Promise<void> {
    for (let left = Math.ceil(seconds); left > 0; left -= 1) {
      this.#report({ waitSeconds: left });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      this.options.signal?.throwIfAborted();
    }
  }

  #report(more: Pick<LoadProgress, "waitSeconds"> = {}): void {
    const { bytes } = this.#facts;
    const file = this.file.name;
    const loadedBytes = this.#received;
    this.options.onProgress?.({ file, loadedBytes, ...(bytes && { totalBytes: bytes }), ...more });
  }
}

/** Whether a request needs no permission of another origin; Node never needs one. */
function isOwnOrigin(url: URL): boolean {
  const { origin } = globalThis as { origin?: string };
  return origin === undefined || origin === url.origin;
}

/** The seconds that `Retry-After` asks to wait; the header is a number of seconds or a date. */
function secondsOf(text: string | null): number | null {
  if (text === null || text === "") return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0);
}

/** A sink that holds the file in memory. */
export function inMemory(): Promise<Sink> {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  return Promise.resolve({
    write: (bytes) => Promise.resolve(chunks.push(bytes)),
    restart: () => Promise.resolve((chunks = [])),
    close: () => Promise.resolve(new Blob(chunks)),
    abort: () => Promise.resolve((chunks = [])),
  });
}
