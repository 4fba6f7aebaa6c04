/** As much of the browser's caches as the keeper uses, in memory. */
export class FakeCaches {
  private readonly all = new Map<string, FakeCache>();

  open(name: string): Promise<FakeCache> {
    const cache = this.all.get(name) ?? new FakeCache();
    this.all.set(name, cache);
    return Promise.resolve(cache);
  }

  keys(): Promise<string[]> {
    return Promise.resolve([...this.all.keys()]);
  }

  delete(name: string): Promise<boolean> {
    return Promise.resolve(this.all.delete(name));
  }
}

class FakeCache {
  private readonly entries = new Map<string, Response>();

  match(url: string): Promise<Response | undefined> {
    return Promise.resolve(this.entries.get(url)?.clone());
  }

  async put(url: string, response: Response): Promise<void> {
    // A real cache reads the whole body, and keeps nothing of one that breaks off.
    this.entries.set(url, new Response(await response.arrayBuffer(), response));
  }

  keys(): Promise<{ url: string }[]> {
    return Promise.resolve([...this.entries.keys()].map((url) => ({ url })));
  }

  delete({ url }: { url: string }): Promise<boolean> {
    return Promise.resolve(this.entries.delete(url));
  }
}
