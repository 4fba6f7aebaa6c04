/**
 * The consent of a reader to the download of a model that a link, a file or another page names. A
 * model that the reader opened, and what the page's own site has, is fetched without a question.
 */
import { tracked } from "../../signals.js";
import type { AddressedModel, ModelName } from "../../state/index.js";

/**
 * Folders of the page itself: steps of the bundled models, and what the program serves that the
 * reader started with a model (`npx headscope FOLDER`, `headscope.open` in Python).
 */
const OWN_FOLDERS = /^at\/\.\/(?:models|model|opened)\//;

/** The addresses that the reader agreed to in this tab, so that a reload asks nothing. */
const KEY = "headscope.agreed";

export class Consent {
  @tracked private waiting: readonly { model: AddressedModel; begin: () => void }[] = [];
  private readonly agreed = new Set(storedAddresses());

  constructor(private readonly addressOf: (model: ModelName) => string) {}

  /** The models about which the reader is asked. */
  get asked(): readonly AddressedModel[] {
    return [...new Set(this.waiting.map(({ model }) => model))];
  }

  /** Whether a model may be fetched without a question. */
  covers(model: AddressedModel): boolean {
    return OWN_FOLDERS.test(model) || this.agreed.has(this.addressOf(model));
  }

  /**
   * Asks the reader; resolves once the answer is yes. Another answer ends what waits by `signal`.
   */
  async ask(model: AddressedModel, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((begin, reject) => {
      const one = { model, begin };
      const leave = (): void => {
        this.waiting = this.waiting.filter((other) => other !== one);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.waiting = [...this.waiting, one];
    });
  }

  /** Lets a model be fetched, now and later. */
  agree(model: AddressedModel): void {
    this.agreed.add(this.addressOf(model));
    storeAddresses([...this.agreed]);
    const answered = this.waiting.filter((one) => one.model === model);
    this.waiting = this.waiting.filter((one) => one.model !== model);
    for (const { begin } of answered) begin();
  }
}

function storedAddresses(): string[] {
  try {
    return (sessionStorage.getItem(KEY) ?? "").split("\n").filter(Boolean);
  } catch {
    return []; // Without storage, and outside a page, each visit asks.
  }
}

function storeAddresses(addresses: readonly string[]): void {
  try {
    sessionStorage.setItem(KEY, addresses.join("\n"));
  } catch {
    // The answer is kept until the page closes.
  }
}
