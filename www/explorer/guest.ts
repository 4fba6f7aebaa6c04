/** An explorer that fills an element of another page and leaves the rest of the page alone. */
import { PARTS } from "../elements/shared/controllers.js";
import { Explorer, type ExplorerOptions, type StateChange } from "../session/explorer.js";
import { EXPLORER_PARTS } from "../session/session.js";
import { bindKeys } from "./keys.js";
import { HeadscopeExplorer } from "./explorer.js";

/**
 * Makes an explorer fill an element: it handles the keys that are pressed inside the element, which
 * gets its theme and language. `changed` receives the changes of its State from within.
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
    // Without a theme in the State the element follows the page around it.
    place.dataset.theme = session.state.theme;
  };
  applyTheme();
  // Fonts and voices follow the language of the element, whatever the page's language is.
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
