/**
 * The script of a figure in a notebook: `headscope/anywidget.js`, one file, which
 * [anywidget](https://anywidget.dev) loads, and which a saved page has in itself.
 */
import "./sentences.js";
import { PAGE_LOCALE, languageOf } from "../i18n/index.js";
import { TAG, type HeadscopeAttention } from "./attention.js";
import { cellOf, readGiven, VIEWS, type GivenPair, type Selection } from "./given.js";
import { FORMATS, type Format } from "./saving.js";
import { followScheme } from "./scheme.js";

PAGE_LOCALE.speak(languageOf(document.documentElement.lang) ?? "en");

/** The traits of the widget in Python. */
interface Traits {
  stack: Selection["stack"];
  layer: number;
  head: number;
  pair: GivenPair;
  view: Selection["view"];
  _description: unknown;
  _numbers: DataView<ArrayBuffer>;
}

/** What a figure needs of the model that anywidget passes. */
interface WidgetModel {
  get<Name extends keyof Traits>(name: Name): Traits[Name];
  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void;
  save_changes(): void;
  on(event: string, listener: (content: unknown) => void): void;
  off(event: string, listener: (content: unknown) => void): void;
  send(content: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
}

/** A request of Python for a file. */
interface FileRequest {
  save: Format;
  id: number;
}

const isFileRequest = (content: unknown): content is FileRequest =>
  typeof content === "object" &&
  content !== null &&
  "save" in content &&
  FORMATS.some((format) => format === content.save);

const SELECTION = ["stack", "layer", "head", "pair", "view"] as const;
const NUMBERS = ["_description", "_numbers"] as const;

/** Shows the figure of a widget until the returned function is called. */
function render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
  // By its tag: of several figures each may have a module of its own, and one of them defines it.
  const figure = document.createElement(TAG) as HeadscopeAttention;
  const stopScheme = followScheme(figure);
  const follow = (): void => {
    figure.stack = model.get("stack");
    figure.layer = model.get("layer");
    figure.head = model.get("head");
    figure.view = VIEWS.find((view) => view === model.get("view")) ?? "heatmap";
    figure.pair = cellOf(model.get("pair"));
  };
  const read = (): void => {
    const { buffer, byteOffset, byteLength } = model.get("_numbers");
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    void figure.read(readGiven(model.get("_description"), bytes));
  };
  const answer = (content: unknown): void => {
    if (isFileRequest(content)) void send(content);
  };
  const send = async ({ save, id }: FileRequest): Promise<void> => {
    try {
      const file = await figure.file(save);
      const buffer = await file?.arrayBuffer();
      model.send({ id, failed: file ? null : "there is no picture" }, undefined, [
        ...(buffer ? [buffer] : []),
      ]);
    } catch (thrown) {
      model.send({ id, failed: String(thrown) });
    }
  };
  figure.addEventListener("headscope-selection", ({ detail }) => {
    const { pair, ...others } = detail;
    for (const name of ["stack", "layer", "head", "view"] as const) model.set(name, others[name]);
    model.set("pair", pair && [pair.query, pair.key]);
    model.save_changes();
  });
  for (const name of SELECTION) model.on(`change:${name}`, follow);
  for (const name of NUMBERS) model.on(`change:${name}`, read);
  model.on("msg:custom", answer);
  follow();
  read();
  el.append(figure);
  // Python asks for files once a picture is there.
  void figure.updateComplete.then(() => model.send({ shown: true }));
  return () => {
    for (const name of SELECTION) model.off(`change:${name}`, follow);
    for (const name of NUMBERS) model.off(`change:${name}`, read);
    model.off("msg:custom", answer);
    stopScheme();
    figure.remove();
  };
}

export default { render };
