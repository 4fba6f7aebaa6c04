/** Names of the tokens and the classes of a model of images. */

import type { ImageConfig, Token } from "../data/index.js";
import { isRecord, jsonIn } from "../data/shape.js";
import type { Encoded } from "./tokenizer/tokenizer.js";

/** The counterpart of a tokenizer in a model of images. */
export class ImageReader {
  readonly maskId = null;
  readonly specialIds: number[];
  /** The names of classes by index. */
  readonly classes: Record<string, unknown>;

  /** `config` is the text of config.json. */
  constructor(
    private readonly format: ImageConfig,
    config: string,
  ) {
    this.specialIds = Array.from({ length: format.specials }, (_, id) => id);
    const fields = jsonIn(config);
    const labels = isRecord(fields) ? fields.id2label : null;
    this.classes = isRecord(labels) ? labels : {};
  }

  /** The tokens of an image, the same for every image. */
  encode(): Encoded {
    const [rows, columns] = this.format.grid;
    const ids = Array.from({ length: this.format.specials + rows * columns }, (_, id) => id);
    return { tokens: this.tokens(ids), typeIds: ids.map(() => 0) };
  }

  /**
   * The tokens with their labels: `[CLS]`, in DeiT `[DIST]`, and patches by row and column, counted
   * from 1.
   */
  tokens(ids: number[]): Token[] {
    const { specials, grid } = this.format;
    return ids.map((id) => {
      const word = Math.max(-1, id - specials);
      const special = id < specials;
      const role = null;
      const patch = `${Math.floor(word / grid[1]) + 1},${(word % grid[1]) + 1}`;
      return {
        id,
        text: special ? (id === 0 ? "[CLS]" : "[DIST]") : patch,
        word,
        special,
        role,
      };
    });
  }

  /** The name of a class. */
  text(id: number): string {
    const label = this.classes[id];
    return typeof label === "string" ? label : `#${id}`;
  }

  continuesWord(): false {
    return false;
  }

  /** The text of some ids, always empty: classes have no text. */
  decode(): string {
    return "";
  }
}
