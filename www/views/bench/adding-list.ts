/** Keys that choose in a list while it is closed. */
const CHOOSING: readonly string[] = [
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "PageUp",
  "PageDown",
  "Home",
  "End",
];

/**
 * For a list that adds what is chosen and goes back to its first entry. While it is closed, a key would add at once, and one
 * would come no further than the next entry: so keys open it, and what is gone to in it is added by Enter.
 */
export function openByKeys(event: KeyboardEvent): void {
  const { key, currentTarget, altKey, ctrlKey, metaKey } = event;
  if (!(currentTarget instanceof HTMLSelectElement) || altKey || ctrlKey || metaKey) return;
  // Space opens a list by itself; a letter looks for an entry.
  const chooses = CHOOSING.includes(key) || (key.length === 1 && key !== " ");
  if (!chooses || !("showPicker" in currentTarget)) return;
  event.preventDefault();
  currentTarget.showPicker();
}
