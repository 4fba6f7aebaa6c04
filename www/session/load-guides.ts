/**
 * Fetches the guides: a page needs them with the first link to a step, or with the tour, and not
 * before.
 */
export async function loadGuides(): Promise<void> {
  await import("./guides.js");
}
