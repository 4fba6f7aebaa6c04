import type { Cell, ModelInfo } from "../../data/index.js";
import { togglePicked, type Picked, type State } from "../../state/index.js";
import type { SideTokenDetail } from "../parts/sentence-bar.js";
import type { Computation } from "../run/computation.js";
import { axisOf, isHideable, toggleHidden } from "../run/selection.js";
import { cellOf, groupAt } from "../run/looked-cells.js";
import type { Scene } from "./scene.js";

/** What a touched token asks for: a pair to look at for now, or a change of the State. */
export type Touch = { hover: Cell | null } | { patch: Partial<State> };

/**
 * A token stands for the strongest cell of its row or column; in a model that fills gaps, a click hides it. Several
 * are picked one by one, beginning with the one that is held.
 */
export function touchOf(
  { side, index, action }: SideTokenDetail,
  state: State,
  { looked, locked }: Scene,
  { model, run }: Computation,
): Touch {
  const info = model?.info;
  if (
    action === "lock" &&
    info &&
    index !== null &&
    side === "source" &&
    canToggle(info, run, index)
  ) {
    return { patch: { hidden: toggleHidden(state.hidden, index) } };
  }
  const axis = info && looked ? axisOf(side, looked.figures.head.stack, info) : null;
  if (action === "pick" && index !== null) {
    // Where words are looked at, every piece of a word stands for it.
    const groups =
      looked && (axis === "query" ? looked.rows : axis === "key" ? looked.columns : null);
    const word = groups ? groupAt(groups, index) : -1;
    const isSame = (one: number): boolean =>
      one === index || (groups !== null && word >= 0 && groupAt(groups, one) === word);
    const held = axis && locked && !state.picked ? locked[axis] : index;
    const first = isSame(held) ? state.picked : togglePicked(null, side, held);
    const again = first?.side === side ? first.tokens.filter(isSame) : [];
    const toggled = again.length > 0 ? again : [index];
    return {
      patch: {
        picked: toggled.reduce<Picked | null>(
          (picked, one) => togglePicked(picked, side, one),
          first,
        ),
      },
    };
  }
  const cell = axis && index !== null && looked ? cellOf(looked, axis, index) : null;
  if (action === "hover") return { hover: cell };
  const again = axis !== null && cell !== null && locked?.[axis] === cell[axis];
  return { patch: { locked: again ? null : cell, ...(state.picked && { picked: null }) } };
}

function canToggle(info: ModelInfo, run: Computation["run"], index: number): boolean {
  const token = run?.tokens[index];
  return info.architecture === "encoder" && (token?.role === "mask" || isHideable(info, token));
}
