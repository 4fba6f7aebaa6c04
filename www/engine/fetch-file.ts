import { describe, HeadscopeError, refuse } from "./errors.js";
import { Timeout } from "./timeout.js";

/** A file of a model or of the engine. */
export interface RemoteFile {
  name: string;
  url: URL;
}

/** The seconds without a byte after which a request is given up. */
const SILENCE_SECONDS = 60;
/**
 * The delay in which a browser reports a policy violation after the forbidden request has failed.
 */
export const REPORT_MILLIS = 50;

/** What to do about a file that cannot be loaded, by the code of the failure. */
const REMEDIES = {
  "load/network": "Check the connection and the address, then try again.",
  "load/timeout": "Check the server and the connection, then try again.",
  "load/cross-origin":
    "Let that server send the header Access-Control-Allow-Origin, or serve the file from the page's own origin.",
  "load/opened-as-file": "Open the page by the address of a web server.",
  "load/sandboxed": "Let that server send the header Access-Control-Allow-Origin.",
  "load/engine-not-found": "Deploy all files of Headscope, in the folders in which it has them.",
  "load/unauthorized":
    "Check the name. If it is right, give an access token, or accept the model's terms on its page.",
  "load/busy": "Wait some minutes, then load the model again.",
  "load/changed": "Its owner is replacing it: load the model again later.",
  "load/wrong-length": "Load the model again; if it happens again, the server has a broken file.",
};

/** The error of a file that cannot be loaded: `expected` is its name and address. */
export function notFetched(
  code: keyof typeof REMEDIES,
  file: RemoteFile,
  got: string,
  remedy = REMEDIES[code],
): HeadscopeError {
  const expected = named(file);
  const message = `${expected} could not be fetched: ${got}. ${remedy}`;
  return refuse(code, `fetching ${file.name}`, expected, got, message);
}

/** A file's name and address. */
export function named({ name, url }: RemoteFile): string {
  return `${name} (${url.href})`;
}

/** The error of a request that the content security policy forbids, with the directive. */
export function blocked(expected: string, directive: string): HeadscopeError {
  const message = `The content security policy blocks ${expected}. Allow it in the directive ${directive}.`;
  return refuse("load/blocked", "loading", expected, directive, message);
}

/** The error of a failed connection, with its reason; a failure that has a code keeps it. */
export function networkFailure(file: RemoteFile, thrown: unknown): HeadscopeError {
  return thrown instanceof HeadscopeError
    ? thrown
    : notFetched("load/network", file, describe(thrown));
}

/**
 * Waits for bytes of a file. `blockedName` names what a policy violation at an address forbids;
 * null for a violation about something else.
 * @throws load/blocked if a policy forbids the address, load/timeout if nothing comes; else what
 *   `work` throws.
 */
export async function attempt<T>(
  file: RemoteFile,
  work: () => Promise<T>,
  blockedName = (uri: string): string | null =>
    file.url.href.startsWith(uri) ? named(file) : null,
): Promise<T> {
  let violation: HeadscopeError | undefined;
  const listen = (event: SecurityPolicyViolationEvent): void => {
    const { blockedURI, disposition, effectiveDirective } = event;
    const name = disposition === "enforce" && blockedURI !== "" ? blockedName(blockedURI) : null;
    if (name !== null) violation ??= blocked(name, effectiveDirective);
  };
  const timeout = new Timeout(SILENCE_SECONDS, (got) => notFetched("load/timeout", file, got));
  // Node has neither policies nor the event.
  const scope = globalThis as Partial<Pick<Window, "addEventListener" | "removeEventListener">>;
  scope.addEventListener?.("securitypolicyviolation", listen);
  try {
    return await timeout.for(work);
  } catch (thrown) {
    if (thrown instanceof HeadscopeError || scope.addEventListener === undefined) throw thrown;
    await new Promise((resolve) => setTimeout(resolve, REPORT_MILLIS));
    throw violation ?? thrown;
  } finally {
    scope.removeEventListener?.("securitypolicyviolation", listen);
  }
}

/**
 * Sends a request for a file and returns any response.
 * @throws load/blocked, load/opened-as-file, load/sandboxed, load/cross-origin, load/timeout,
 *   load/network.
 */
export async function request(
  file: RemoteFile,
  { signal, ...init }: RequestInit = {},
): Promise<Response> {
  signal?.throwIfAborted();
  const asking = new AbortController();
  signal?.addEventListener("abort", () => asking.abort(), { once: true });
  try {
    return await attempt(file, () => fetch(file.url, { ...init, signal: asking.signal }));
  } catch (thrown) {
    asking.abort();
    const isUnknown = signal?.aborted !== true && !(thrown instanceof HeadscopeError);
    throw (isUnknown ? await refusal(file) : null) ?? networkFailure(file, thrown);
  }
}

/** The error of a file that no page of this kind may read; null if pages may. */
async function refusal(file: RemoteFile): Promise<HeadscopeError | null> {
  const { location, origin } = globalThis as Partial<Pick<Window, "location" | "origin">>;
  if (location && file.url.protocol === "file:")
    return notFetched("load/opened-as-file", file, "a page that was opened as a file");
  if (!(await isUnshared(file))) return null;
  // A page that was opened as a file has no origin either; its server is another one.
  if (origin === "null" && location?.protocol !== "file:")
    return notFetched("load/sandboxed", file, "a sandboxed frame without an origin");
  return notFetched(
    "load/cross-origin",
    file,
    "a server that lets no page of another origin read it",
  );
}

/**
 * The response if it has the file; null if the server has nothing at that address.
 * @throws load/unauthorized, load/busy, load/network.
 */
export function accept(file: RemoteFile, response: Response): Response | null {
  const { status } = response;
  // Many servers answer a request for a missing file with their start page.
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  if (status === 404 || status === 410 || (response.ok && isPage)) return null;
  if (response.ok) return response;
  const got = `the answer ${status} ${response.statusText}`.trim();
  if (status === 401 || status === 403) throw notFetched("load/unauthorized", file, got);
  if (isBusy(response)) throw notFetched("load/busy", file, got);
  const remedy = "Check the server and the address, then try again.";
  throw notFetched("load/network", file, got, remedy);
}

/** Whether a server asks to be left alone for a while. */
export const isBusy = ({ status }: Response): boolean => status === 429 || status === 503;

/**
 * Fetches a file; null if the server has none at that address.
 * @throws what `request` and `accept` throw.
 */
export async function fetchFile(file: RemoteFile, signal?: AbortSignal): Promise<Response | null> {
  return accept(file, await request(file, { ...(signal && { signal }) }));
}

/**
 * Whether a server of another origin responds without a header that lets this page read the
 * response.
 */
async function isUnshared(file: RemoteFile): Promise<boolean> {
  const { origin } = globalThis as { origin?: string };
  if (origin === undefined || origin === file.url.origin || !navigator.onLine) return false;
  return attempt(file, () => fetch(file.url, { method: "HEAD", mode: "no-cors" })).then(
    () => true,
    () => false,
  );
}

/**
 * Fetches a file of the engine itself.
 * @throws load/engine-not-found, and what `fetchFile` throws.
 */
export async function fetchEngineFile(url: URL): Promise<Response> {
  const file = { name: url.pathname.slice(url.pathname.lastIndexOf("/") + 1), url };
  const response = await fetchFile(file);
  if (response === null) throw notFetched("load/engine-not-found", file, "no such file");
  return response;
}
