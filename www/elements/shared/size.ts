import type { ReactiveController, ReactiveElement } from "lit";

/**
 * The room that an element has, and the density of its screen; renders it again when either changes. Its own height
 * counts only for `both`.
 */
export class SizeController implements ReactiveController {
  width = 0;
  height = 0;
  ratio = window.devicePixelRatio;
  private density: MediaQueryList | null = null;
  private readonly observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    const height = this.sides === "both" ? (entry?.contentRect.height ?? 0) : 0;
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.host.requestUpdate();
  });
  private readonly redense = (): void => {
    this.watchDensity();
    this.host.requestUpdate();
  };

  constructor(
    private readonly host: ReactiveElement,
    private readonly sides: "width" | "both" = "width",
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.observer.observe(this.host);
    this.watchDensity();
  }

  hostDisconnected(): void {
    this.observer.disconnect();
    this.density?.removeEventListener("change", this.redense);
  }

  /** A resolution query only tells that it no longer holds, so each change asks a new one. */
  private watchDensity(): void {
    this.density?.removeEventListener("change", this.redense);
    this.ratio = window.devicePixelRatio;
    this.density = matchMedia(`(resolution: ${this.ratio}dppx)`);
    this.density.addEventListener("change", this.redense);
  }
}
