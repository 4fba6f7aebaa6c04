/** What a build is made of, as the build itself writes it down. */
export interface Site {
  /** Another one as soon as any file is another. */
  readonly version: string;
  /** Every file of the page but its fonts, by its path inside the site, with its hash as `integrity` takes it. */
  readonly files: Readonly<Record<string, string>>;
  /** The engine for a GPU, by path: kept as soon as somebody has used it. */
  readonly gpuEngine: string;
  /** Another one as soon as the fonts of saved pictures are others: they are fetched one by one, when they are used. */
  readonly fonts: string;
  /** Folders of the bundled models, with the versions of what is in them. */
  readonly models: Readonly<Record<string, string>>;
}

/** What a page asks its service worker: to have these files of a model when there is no network. */
export interface KeepRequest {
  keep: string[];
  /** Whether the model is on a GPU, whose engine is to be kept as well. */
  onGpu: boolean;
}

/** What the service worker answers. */
export interface KeepReply {
  /** Whether all of them are there. */
  kept: boolean;
}
