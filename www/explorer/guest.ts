/** An explorer in an element of another page, which it fills and otherwise leaves alone. */
import { PARTS } from "../elements/shared/controllers.js";
import { Explorer, type ExplorerOptions, type StateChange } from "../session/explorer.js";
import { EXPLORER_PARTS } from "../session/session.js";
import { bindKeys } from "./keys.js";
import { HeadscopeExplorer } from "./explorer.js";

/**
 * Makes an explorer that fills an element: it has the keys that are pressed inside the element,
 * which has its theme and its language. `changed` receives what happens to its State from within.
 */
export function fillPlace(
  place: HTMLElement,
  root: Node,
  options: ExplorerOptions,
  changed: (change: StateChange) => void,
): Explorer {
  const explorer = new Explorer(options);
  const { session } = explorer;

  const applyTheme = (): void => {
    // Without a theme of its own it follows the page around it.
    place.dataset.theme = session.state.theme;
  };
  applyTheme();
  // Fonts and voices go by the language of the element, whatever the page around it is in.
  session.locale.listen(() => (place.lang = session.locale.language));
  bindKeys(place, session);
  explorer.onState((change) => {
    applyTheme();
    if (change.isOwn) changed(change);
  });

  const view = new HeadscopeExplorer(explorer);
  view.setAttribute("exportparts", [...EXPLORER_PARTS, ...PARTS].join());
  root.appendChild(view);
  return explorer;
}
