/** An explorer that fills an element of another page and leaves the rest of the page alone. */
import type { ReactiveController } from "lit";
import { PARTS } from "../elements/shared/controllers.js";
import type { Locale } from "../i18n/index.js";
import { Explorer, type ExplorerOptions, type StateChange } from "../session/explorer.js";
import { EXPLORER_PARTS } from "../session/session.js";
import { bindKeys } from "./keys.js";
import { HeadscopeExplorer } from "./explorer.js";
// A program that sets a step of the tour reads its State at once.
import "../session/guides.js";

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
  bindKeys(place, session);
  explorer.onState((change) => {
    applyTheme();
    if (change.isOwn) changed(change);
  });

  const view = new HeadscopeExplorer(explorer);
  view.addController(new LanguageOf(place, session.locale));
  view.setAttribute("exportparts", [...EXPLORER_PARTS, ...PARTS].join());
  root.appendChild(view);
  return explorer;
}

/**
 * Keeps the `lang` of an element the same as a locale while an explorer in it is connected: fonts
 * and voices follow the language of the element, whatever the page's language is.
 */
class LanguageOf implements ReactiveController {
  private stop: () => void = () => undefined;

  constructor(
    private readonly place: HTMLElement,
    private readonly locale: Locale,
  ) {}

  hostConnected(): void {
    this.stop = this.locale.listen((language) => (this.place.lang = language));
  }

  hostDisconnected(): void {
    this.stop();
  }
}
