import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from "lit";
import { loadSentences } from "../../i18n/index.js";
import { TOUR, type Store, type TourStep } from "../../state/index.js";
import { Later } from "../../ui/lazy.js";
import type { HeadscopeTourCard } from "./card.js";
import { arrivalAt, isElsewhere, placeOf, type Place } from "./steps.js";

/** The card with the words of a step, which most visits do not open. */
const CARD = new Later(() => Promise.all([import("./card.js"), loadSentences("tour")]));
/** About the height of the card, where it does not lie over the page. */
const ROOM = 92;

/**
 * The tour on the page of an explorer. Every step, and leaving, is one change that can be
 * undone; leaving keeps what is on the screen. `settled` says whether all that a step shows is drawn; `reveal` brings a
 * part on the page that may be out of sight.
 */
export class TourGuide implements ReactiveController {
  /** The step to whose part the page still has to scroll. */
  private arriving: TourStep | null = null;
  private shown: TourStep | null = null;

  constructor(
    private readonly host: LitElement,
    private readonly store: Store,
    private readonly settled: () => boolean,
    private readonly reveal: (place: Place) => void,
  ) {
    host.addController(this);
  }

  /** From its first step; on the tour already, back to the card. */
  async start(): Promise<void> {
    await CARD.come();
    if (this.store.state.tour === null) this.goTo(TOUR[0]);
    await this.host.updateComplete;
    this.card?.focus();
  }

  render(): TemplateResult | typeof nothing {
    const { state } = this.store;
    if (state.tour === null) return nothing;
    const { tour } = state;
    const card = (): TemplateResult =>
      html`<headscope-tour-card .step=${tour} .elsewhere=${isElsewhere(state)} .go=${this.go}></headscope-tour-card>`;
    return CARD.show(this.host, card, ROOM);
  }

  hostUpdate(): void {
    const { tour } = this.store.state;
    if (tour !== null && tour !== this.shown) this.reveal(placeOf(tour));
  }

  hostUpdated(): void {
    const { tour } = this.store.state;
    if (tour !== this.shown) this.arriving = tour;
    this.shown = tour;
    this.host.toggleAttribute("touring", tour !== null);
    // The parts above a picture have their full height once there is something in them.
    if (this.arriving === null || !this.settled()) return;
    const step = this.arriving;
    this.arriving = null;
    requestAnimationFrame(() => this.scrollToPart(step));
  }

  private readonly go = (step: TourStep | null): void => {
    if (step === null) void this.leave();
    else this.goTo(step);
  };

  private async leave(): Promise<void> {
    this.store.step({ tour: null });
    await this.host.updateComplete;
    this.host.renderRoot.querySelector("headscope-top-bar")?.focus();
  }

  private goTo(step: TourStep): void {
    this.store.step(arrivalAt(step, this.store.state));
    this.arriving = step;
    this.reveal(placeOf(step));
  }

  private get card(): HeadscopeTourCard | null {
    return this.host.renderRoot.querySelector("headscope-tour-card");
  }

  /** On a phone, where the parts of the page are below each other; elsewhere nothing moves. */
  private scrollToPart(step: TourStep): void {
    if (this.card?.isSheet) this.host.renderRoot.querySelector(placeOf(step))?.scrollIntoView();
  }
}
