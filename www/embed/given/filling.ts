/** A figure that is filled by numbers: a JSON file at the address `src`, or JSON in the figure. */
import { fetchFile, named, networkFailure } from "../../engine/fetch-file.js";
import { refuse } from "../../engine/errors.js";
import { loadSentences } from "../../i18n/index.js";
import { writtenIn, type Filled, type Filling } from "../filling.js";
import { wordsFor } from "../notice.js";
import { readNumbers } from "./read.js";

export class NumbersFilling implements Filling {
  /** The address that was read last, with its text. */
  private known: { src: string; text: string } | null = null;
  /** The number of requests: an answer to an older one is not shown. */
  private question = 0;

  constructor(private readonly figure: Filled) {}

  read(): void {
    void this.ask();
  }

  stop(): void {
    this.question += 1;
  }

  private async ask(): Promise<void> {
    const { host, tag, notice, caption, showWaiting } = this.figure;
    const question = ++this.question;
    const late = (): boolean => question !== this.question;
    try {
      const text = await this.text();
      await loadSentences(...(tag === "headscope-effects" ? (["layers"] as const) : []));
      if (late()) return;
      const { properties, about } = readNumbers(tag, host, text);
      Object.assign(host, properties);
      caption.show(about);
      notice.ready();
    } catch (thrown) {
      this.known = null;
      const words = await wordsFor(thrown);
      if (late()) return;
      notice.fail(words, () => {
        showWaiting();
        this.read();
      });
    }
  }

  private async text(): Promise<string> {
    const { host } = this.figure;
    const src = host.getAttribute("src");
    if (src === null) return writtenIn(host)?.textContent ?? "";
    if (this.known?.src !== src) this.known = { src, text: await textAt(src) };
    return this.known.text;
  }
}

/** The text of the file at an address, relative to the page. */
async function textAt(src: string): Promise<string> {
  if (!URL.canParse(src, document.baseURI))
    throw refuse("attribute/unreadable", "Reading an attribute", "an address", `src="${src}"`);
  const url = new URL(src, document.baseURI);
  const file = { name: url.pathname.slice(url.pathname.lastIndexOf("/") + 1), url };
  const response = await fetchFile(file);
  if (response === null) throw refuse("load/not-found", "fetching numbers", named(file), "nothing");
  return response.text().catch((thrown: unknown) => {
    throw networkFailure(file, thrown);
  });
}
