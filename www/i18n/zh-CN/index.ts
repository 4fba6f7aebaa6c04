import type { Messages } from "../messages.js";
import { edits } from "./edits.js";
import { embed } from "./embed.js";
import { entries } from "./entries.js";
import { heads } from "./heads.js";
import { inspector } from "./inspector.js";
import { lens } from "./lens.js";
import { notices } from "./notices.js";
import { page } from "./page.js";
import { phone } from "./phone.js";
import { pictures } from "./pictures.js";
import { samples } from "./samples.js";
import { steps } from "./steps.js";
import { text } from "./text.js";

/** Every sentence of the page, in simplified Chinese. */
export const zhCN: Messages = {
  ...page,
  ...notices,
  ...text,
  ...samples,
  ...heads,
  ...pictures,
  ...steps,
  ...inspector,
  ...lens,
  ...edits,
  ...entries,
  ...embed,
  ...phone,
};
