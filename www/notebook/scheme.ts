/** The colours of the notebook around a figure: not every notebook sets its color scheme. */

/** Whether a notebook is dark; null where it does not say so. */
function darkness({ body, documentElement }: Document): boolean | null {
  // JupyterLab and Jupyter Notebook.
  const light = body.dataset.jpThemeLight;
  if (light !== undefined) return light === "false";
  // Visual Studio Code, then marimo.
  const kind = body.dataset.vscodeThemeKind;
  if (kind !== undefined) return !kind.endsWith("light");
  const dark = [body, documentElement].some(({ classList }) => classList.contains("dark"));
  const isNamed = [body, documentElement].some(({ classList }) => classList.contains("light"));
  return dark ? true : isNamed ? false : null;
}

/** Gives a figure the color scheme of its notebook until the returned function is called. */
export function followScheme(figure: HTMLElement): () => void {
  const follow = (): void => {
    const dark = darkness(document);
    figure.style.colorScheme = dark === null ? "" : dark ? "dark" : "light";
    // The elements inside look for another scheme when this changes.
    figure.dataset.theme = figure.style.colorScheme;
  };
  const observer = new MutationObserver(follow);
  for (const place of [document.body, document.documentElement])
    observer.observe(place, {
      attributeFilter: ["class", "data-jp-theme-light", "data-vscode-theme-kind"],
    });
  follow();
  return () => observer.disconnect();
}
