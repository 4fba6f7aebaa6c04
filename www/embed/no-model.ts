/**
 * What a figure of a model is filled with where the script draws numbers alone: the sentence that
 * says which script runs models. The build of `figures.js` puts it in the place of
 * `model-filling.ts`.
 */
import { message } from "../i18n/index.js";
import type { Filled, Filling } from "./filling.js";

/** The code of a figure of a model in a page whose script runs none. */
const NO_MODEL = "figure/no-model";

export class ModelFilling implements Filling {
  constructor(private readonly figure: Filled) {}

  read(): void {
    this.figure.notice.fail({ sentence: message("embed.noModels"), code: NO_MODEL });
  }

  stop(): void {
    this.figure.notice.clear();
  }
}
