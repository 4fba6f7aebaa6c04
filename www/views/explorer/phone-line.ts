import { html, nothing, type TemplateResult } from "lit";
import { valueAt } from "../../draw/strongest.js";
import { labelAt } from "../../elements/shared/token-label.js";
import { formatFixed, message } from "../../i18n/index.js";
import { withoutName } from "../parts/lens-words.js";
import { placeIn } from "../run/looked-cells.js";
import type { PhoneTab } from "./phone-tabs.js";
import type { Scene } from "./scene.js";

/** One line above the tabs: what was just chosen in the part that is open, and where that leads. */
export function phoneLine(
  tab: PhoneTab,
  scene: Scene,
  inspected: boolean,
  look: () => void,
): TemplateResult | typeof nothing {
  if (tab === "heads") return headLine(scene, look);
  return tab === "picture" && inspected ? pairLine(scene) : nothing;
}

function headLine({ chosen }: Scene, look: () => void): TemplateResult | typeof nothing {
  if (!chosen) return nothing;
  const title = message("head.title", { layer: chosen.layer + 1, head: chosen.head + 1 });
  return html`<p class="line"><span>${title}</span> <button class="look" @click=${look}>${message("phone.look")}</button></p>`;
}

/** The pair under the finger, or else the one that is held, with its weight as the picture shows it. */
function pairLine({ looked, focused }: Scene): TemplateResult | typeof nothing {
  const place = looked && placeIn(looked, focused);
  if (!looked || !place) return nothing;
  const weight =
    looked.without === null
      ? message("phone.weight")
      : message("pieces.without", { token: withoutName(looked) });
  return html`<p class="line pair">
    <span><bdi>${labelAt(looked.queries, place.query)}</bdi> <span class="muted">${message("inspect.looksAt")}</span> <bdi>${labelAt(looked.keys, place.key)}</bdi></span>
    <span class="value"><span class="muted">${weight}</span> <b class="numbers">${formatFixed(valueAt(looked.weights, place))}</b></span>
  </p>`;
}
