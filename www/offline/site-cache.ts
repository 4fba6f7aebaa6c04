/** What a build is made of, as the build itself writes it down. */
export interface Site {
  /** Another one as soon as any file is another. */
  readonly version: string;
  /** Every file of the page but its fonts, by its path inside the site, with its hash as `integrity` takes it. */
  readonly files: Readonly<Record<string, string>>;
  /** The engine for a GPU, by path: cached once it was used. */
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

/** What the service worker answers. */
export interface CacheReply {
  /** Whether all of them are there. */
  kept: boolean;
}

/** So long a page that is here already waits for a network that does not answer. */
const PATIENCE_MILLIS = 3000;

/** What it needs of its surroundings; a test brings its own. */
export interface Surroundings {
  /** The folder in which the site lies. Caches are one for a whole host, which may have other sites in other folders. */
  scope: URL;
  caches: CacheStorage;
  fetch: typeof fetch;
  /** Lets something finish after the answer is given. */
  linger: (work: Promise<unknown>) => void;
}

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

  constructor(
    private readonly site: Site,
    private readonly surroundings: Surroundings,
  ) {
    this.own = `headscope ${surroundings.scope.href} `;
    this.pageCache = `${this.own}page ${site.version}`;
    this.modelCache = `${this.own}models`;
    this.fontCache = `${this.own}fonts ${site.fonts}`;
  }

  /** Fetches the files of the page; all of them or, if one is missing or of another build, none. */
  async install(): Promise<void> {
    const page = await this.surroundings.caches.open(this.pageCache);
    const { gpuEngine, files } = this.site;
    // A user who used the GPU with the build before has it with this build too.
    const withGpu = await this.hasGpuEngine();
    const needed = Object.entries(files).filter(([path]) => withGpu || path !== gpuEngine);
    await Promise.all(needed.map(([path, integrity]) => this.installFile(page, path, integrity)));
  }

  private async installFile(page: Cache, path: string, integrity: string): Promise<void> {
    const address = this.at(path);
    const known = isHashed(path) ? await this.known(path) : undefined;
    if (known) return page.put(address, known);
    const response = await this.surroundings.fetch(
      new Request(address, { integrity, cache: "no-cache" }),
    );
    if (!response.ok) throw new Error(`${path} could not be cached: ${response.status}`);
    await page.put(address, response);
  }

  /** Deletes earlier builds, and models that this one has in another version. */
  async tidy(): Promise<void> {
    const { caches } = this.surroundings;
    const current = [this.pageCache, this.modelCache, this.fontCache];
    const old = (await this.ownCaches()).filter((name) => !current.includes(name));
    await Promise.all(old.map((name) => caches.delete(name)));
    const models = await caches.open(this.modelCache);
    const outdated = (await models.keys()).filter(({ url }) => !this.isCurrent(new URL(url)));
    await Promise.all(outdated.map((request) => models.delete(request)));
  }

  /** The answer to a request; undefined for requests that are not the site's. */
  answer(request: Request): Promise<Response> | undefined {
    const url = new URL(request.url);
    const path = this.pathOf(url);
    if (request.method !== "GET" || path === undefined) return undefined;
    if (isModelFile(path, url)) {
      const cached = this.match(this.modelCache, request.url);
      return this.cachedFirst(request, cached, request.url, this.modelCache);
    }
    // Fonts come when a picture is saved, few of many, and stay for as long as the site has the same ones.
    const isFont = isHashed(path) && path.endsWith(".woff2");
    if (!isFont && !Object.hasOwn(this.site.files, path)) return undefined;
    const cached = this.known(path);
    if (!isHashed(path)) return this.freshFirst(request, cached);
    const used = path === this.site.gpuEngine ? this.pageCache : null;
    return this.cachedFirst(request, cached, this.at(path), isFont ? this.fontCache : used);
  }

  /** Fetches what is not there yet of some files, and the engine for a GPU where it was used; whether all of them are there. */
  async add(addresses: readonly string[], onGpu = false): Promise<boolean> {
    if (onGpu) await this.cacheGpuEngine();
    const models = await this.surroundings.caches.open(this.modelCache);
    for (const address of addresses) {
      const url = new URL(address);
      const path = this.pathOf(url);
      if (path === undefined || !isModelFile(path, url)) return false;
      if (await models.match(address, { ignoreVary: true })) continue;
      const response = await this.surroundings.fetch(address).catch(() => undefined);
      if (!response || !isFile(response)) return false;
      await models.put(address, response);
    }
    return true;
  }

  /** What is cached, or else what the network has. That is put at an address of a cache, where there is one, unless it is cancelled or there is no room. */
  private async cachedFirst(
    request: Request,
    cached: Promise<Response | undefined>,
    address: string,
    cache: string | null,
  ): Promise<Response> {
    const known = await cached;
    if (known) return known;
    const { caches, fetch, linger } = this.surroundings;
    const response = await fetch(request);
    if (cache === null || !isFile(response)) return response;
    const copy = response.clone();
    linger(
      caches
        .open(cache)
        .then((opened) => opened.put(address, copy))
        .catch(() => undefined),
    );
    return response;
  }

  /** The page of a first visit fetches it before the service worker runs. */
  private async cacheGpuEngine(): Promise<void> {
    const { gpuEngine, files } = this.site;
    if (await this.known(gpuEngine)) return;
    await this.installFile(
      await this.surroundings.caches.open(this.pageCache),
      gpuEngine,
      files[gpuEngine] ?? "",
    );
  }

  /** Whether any build was used with a GPU. */
  private async hasGpuEngine(): Promise<boolean> {
    const { caches } = this.surroundings;
    for (const name of await this.ownCaches()) {
      const cached = await (await caches.open(name)).keys();
      if (cached.some(({ url }) => isGpuEngine(this.pathOf(new URL(url)) ?? ""))) return true;
    }
    return false;
  }

  private async freshFirst(
    request: Request,
    coming: Promise<Response | undefined>,
  ): Promise<Response> {
    const cached = await coming;
    // A host may let browsers take a page for current for minutes after it has changed.
    const fresh = this.surroundings.fetch(request, { cache: "no-cache" });
    if (!cached) return fresh;
    const patience = new Promise<undefined>((resolve) =>
      setTimeout(() => resolve(undefined), PATIENCE_MILLIS),
    );
    const response = await Promise.race([fresh.catch(() => undefined), patience]);
    return response && response.status < 500 ? response : cached;
  }

  private async match(cache: string, address: string): Promise<Response | undefined> {
    return (await this.surroundings.caches.open(cache)).match(address, { ignoreVary: true });
  }

  /** A file of the page as this build has it; where its name has its hash, another build's is the same. */
  private async known(path: string): Promise<Response | undefined> {
    const builds = isHashed(path)
      ? (await this.ownCaches()).filter((name) => name !== this.modelCache)
      : [this.pageCache];
    for (const name of builds) {
      const found = await this.match(name, this.at(path));
      if (found) return found;
    }
    return undefined;
  }

  private async ownCaches(): Promise<string[]> {
    return (await this.surroundings.caches.keys()).filter((name) => name.startsWith(this.own));
  }

  private isCurrent(url: URL): boolean {
    const path = this.pathOf(url) ?? "";
    return this.site.models[path.slice(0, path.lastIndexOf("/"))] === url.searchParams.get("v");
  }

  private at(path: string): string {
    return new URL(path, this.surroundings.scope).href;
  }

  /** A path inside the site; undefined for what lies elsewhere. The page's own is empty. */
  private pathOf({ origin, pathname }: URL): string | undefined {
    const { scope } = this.surroundings;
    if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return undefined;
    const path = pathname.slice(scope.pathname.length);
    return path === "index.html" ? "" : path;
  }
}

/** Whether a file has its hash in its name. */
function isHashed(path: string): boolean {
  return path.startsWith("assets/");
}

/** Whether this is the engine for a GPU, of whichever build. */
function isGpuEngine(path: string): boolean {
  return /^assets\/headscope_gpu_bg-[^/]*\.wasm$/.test(path);
}

/** Whether this is a file of a bundled model in a version that the address names. */
function isModelFile(path: string, url: URL): boolean {
  return path.startsWith("models/") && url.searchParams.has("v");
}

/** Many servers answer what they do not have with their start page. */
function isFile(response: Response): boolean {
  return (
    response.status === 200 &&
    !(response.headers.get("content-type")?.startsWith("text/html") ?? false)
  );
}
