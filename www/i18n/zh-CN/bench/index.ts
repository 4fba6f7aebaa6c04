import type { LaterMessages } from "../../messages.js";
import { fields } from "./fields.js";
import { figures } from "./figures.js";
import { heads } from "./heads.js";
import { lengths } from "./lengths.js";
import { maskLabs } from "./mask-labs.js";
import { kinds } from "./kinds.js";
import { masks } from "./masks.js";
import { numbers } from "./numbers.js";
import { positionSchemes } from "./position-schemes.js";
import { positions } from "./positions.js";
import { positionsLab } from "./positions-lab.js";

/** The sentences of the bench in simplified Chinese. */
export const zhCNBench: LaterMessages<"bench"> = {
  ...masks,
  ...maskLabs,
  ...positions,
  ...positionsLab,
  ...kinds,
  ...heads,
  ...numbers,
  ...figures,
  ...fields,
  ...lengths,
  ...positionSchemes,
};
