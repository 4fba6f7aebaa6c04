export interface Site {
  /** Another one as soon as any file is another. */
  readonly version: string;
  /** Every file of the page but its fonts, by its path inside the site, with its hash as `integrity` takes it. */
  readonly files: Readonly<Record<string, string>>;
  /** The path of the engine for a GPU: cached once it was used. */
  readonly gpuEngine: string;
  /** Another one as soon as the fonts of saved pictures are others: they are fetched one by one, when they are used. */
  readonly fonts: string;
  /** Folders of the bundled models, with the versions of what is in them. */
  readonly models: Readonly<Record<string, string>>;
}

/** What a page asks its service worker: to have these files of a model when there is no network. The names stay, since a page may meet the worker of an earlier build. */
export interface CacheRequest {
  keep: string[];
  /** Whether the model is on a GPU, whose engine is cached as well. */
  onGpu: boolean;
}

export interface CacheReply {
  kept: boolean;
}

/** So long a page that is cached waits for a network that does not answer. */
const PATIENCE_MILLIS = 3000;

const IGNORE_VARY = { ignoreVary: true };

/**
 * Caches the files of one build, and of the models that were used with it, and answers for them.
 *
 * The page itself comes from the network whenever there is one, so that a new build is there at the next visit. Its
 * parts have their hash in their names and the models' files have their version in their addresses: whatever is cached
 * under such an address is right for ever. So a page never gets parts or weights of another build than its own.
 */
export class SiteCache {
  private readonly own: string;
  private readonly pageCache: string;
  private readonly modelCache: string;
  private readonly fontCache: string;

  /** `scope` is the folder of the site. Caches are one for a whole host, which may have other sites in other folders. */
  constructor(
    private readonly site: Site,
    private readonly scope: URL,
  ) {
    this.own = `headscope ${scope.href} `;
    this.pageCache = `${this.own}page ${site.version}`;
    this.modelCache = `${this.own}models`;
    this.fontCache = `${this.own}fonts ${site.fonts}`;
  }

  /** Fetches the files of the page; all of them or, if one is missing or of another build, none. */
  async install(): Promise<void> {
    const cached = await Promise.all(
      (await this.ownCaches()).map(async (name) => (await caches.open(name)).keys()),
    );
    // A user who used the GPU with any build before has it with this build too.
    const withGpu = cached.flat().some(({ url }) => url.startsWith(this.at(GPU_ENGINE)));
    const { gpuEngine, files } = this.site;
    const paths = Object.keys(files).filter((path) => withGpu || path !== gpuEngine);
    await Promise.all(paths.map((path) => this.installFile(path)));
  }

  private async installFile(path: string): Promise<void> {
    const address = this.at(path);
    const page = await caches.open(this.pageCache);
    const known = isHashed(path) ? await caches.match(address, IGNORE_VARY) : undefined;
    if (known) return page.put(address, known);
    const integrity = this.site.files[path] ?? "";
    const response = await fetch(new Request(address, { integrity, cache: "no-cache" }));
    if (!response.ok) throw new Error(`${path} could not be cached: ${response.status}`);
    await page.put(address, response);
  }

  /** Deletes earlier builds, and models that this one has in another version. */
  async tidy(): Promise<void> {
    const current = [this.pageCache, this.modelCache, this.fontCache];
    const old = (await this.ownCaches()).filter((name) => !current.includes(name));
    await Promise.all(old.map((name) => caches.delete(name)));
    const models = await caches.open(this.modelCache);
    const outdated = (await models.keys()).filter((request) => {
      const url = new URL(request.url);
      const folder = (this.pathOf(url) ?? "").replace(/\/[^/]*$/, "");
      return this.site.models[folder] !== url.searchParams.get("v");
    });
    await Promise.all(outdated.map((request) => models.delete(request)));
  }

  /** The answer to a request; undefined for requests that are not the site's. `linger` lets something finish after the answer is given. */
  answer(
    request: Request,
    linger: (work: Promise<unknown>) => void,
  ): Promise<Response> | undefined {
    const url = new URL(request.url);
    const path = this.pathOf(url);
    if (request.method !== "GET" || path === undefined) return undefined;
    if (isModelFile(path, url))
      return this.cachedFirst(request, request.url, this.modelCache, linger);
    // Fonts come when a picture is saved, few of many, and stay for as long as the site has the same ones.
    const isFont = isHashed(path) && path.endsWith(".woff2");
    if (!isFont && !Object.hasOwn(this.site.files, path)) return undefined;
    if (!isHashed(path)) return this.freshFirst(request, path);
    const used = path === this.site.gpuEngine ? this.pageCache : null;
    return this.cachedFirst(request, this.at(path), isFont ? this.fontCache : used, linger);
  }

  /** Fetches what is not cached yet of some files, and the engine for a GPU where it was used; whether all of them are cached. */
  async add(addresses: readonly string[], onGpu = false): Promise<boolean> {
    const { gpuEngine } = this.site;
    if (onGpu && !(await caches.match(this.at(gpuEngine), IGNORE_VARY)))
      await this.installFile(gpuEngine);
    const models = await caches.open(this.modelCache);
    for (const address of addresses) {
      const url = new URL(address);
      const path = this.pathOf(url);
      if (path === undefined || !isModelFile(path, url)) return false;
      if (await models.match(address, IGNORE_VARY)) continue;
      const response = await fetch(address).catch(() => undefined);
      if (!response || !isFile(response)) return false;
      await models.put(address, response);
    }
    return true;
  }

  /** What is cached, or else what the network has. That is put into a cache, where one is named, unless it is cancelled or there is no room. */
  private async cachedFirst(
    request: Request,
    address: string,
    cache: string | null,
    linger: (work: Promise<unknown>) => void,
  ): Promise<Response> {
    const known = await caches.match(address, IGNORE_VARY);
    if (known) return known;
    const response = await fetch(request);
    if (cache === null || !isFile(response)) return response;
    const copy = response.clone();
    const put = async (): Promise<void> => (await caches.open(cache)).put(address, copy);
    linger(put().catch(() => undefined));
    return response;
  }

  private async freshFirst(request: Request, path: string): Promise<Response> {
    const options = { ...IGNORE_VARY, cacheName: this.pageCache };
    const cached = await caches.match(this.at(path), options);
    // A host may let browsers take a page for current for minutes after it has changed.
    const fresh = fetch(request, { cache: "no-cache" });
    if (!cached) return fresh;
    const patience = new Promise<undefined>((resolve) =>
      setTimeout(() => resolve(undefined), PATIENCE_MILLIS),
    );
    const response = await Promise.race([fresh.catch(() => undefined), patience]);
    return response && response.status < 500 ? response : cached;
  }

  private async ownCaches(): Promise<string[]> {
    return (await caches.keys()).filter((name) => name.startsWith(this.own));
  }

  private at(path: string): string {
    return new URL(path, this.scope).href;
  }

  /** A path inside the site; undefined for what lies elsewhere. The page's own is empty. */
  private pathOf({ origin, pathname }: URL): string | undefined {
    if (origin !== this.scope.origin || !pathname.startsWith(this.scope.pathname)) return undefined;
    const path = pathname.slice(this.scope.pathname.length);
    return path === "index.html" ? "" : path;
  }
}

const GPU_ENGINE = "assets/headscope_gpu_bg-";

const isHashed = (path: string): boolean => path.startsWith("assets/");

/** Whether this is a file of a bundled model in a version that the address names. */
const isModelFile = (path: string, url: URL): boolean =>
  path.startsWith("models/") && url.searchParams.has("v");

/** Many servers answer what they do not have with their start page. */
const isFile = ({ status, headers }: Response): boolean =>
  status === 200 && !headers.get("content-type")?.startsWith("text/html");
