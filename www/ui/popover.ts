/** Space between a list and the window's edge. */
const MARGIN = 16;

/** Moves an open popover up as far as the window's lower edge asks. */
export function keepInside(popover: HTMLElement): void {
  const { top, height } = popover.getBoundingClientRect();
  popover.style.top = `${Math.max(MARGIN, Math.min(top, window.innerHeight - height - MARGIN))}px`;
}

/**
 * Puts a popover of that width under its button and inside the window, to the side where there is more room; call it
 * before the popover opens.
 */
export function placeUnder(button: Element, popover: HTMLElement, width: number): void {
  const { left, right, bottom } = button.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const wanted = left + right > room ? right - width : left - MARGIN;
  popover.style.top = `${bottom + 4}px`;
  popover.style.left = `${Math.max(MARGIN, Math.min(wanted, room - width - MARGIN))}px`;
}
