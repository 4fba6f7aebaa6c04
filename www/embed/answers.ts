/** The properties that a figure sets after its own events, where no model answers them. */
const ANSWERED = {
  "cell-lock": "locked",
  "mass-change": "mass",
  "region-change": "region",
  "head-select": "selected",
  "depth-choose": "chosen",
  "number-go": "held",
  "token-hover": "hovered",
  "token-lock": "locked",
};

/** The index of a token, of which a figure locks one at a time, or what else an event tells. */
function told(type: string, detail: { index?: number | null } | null): unknown {
  const { index } = detail ?? {};
  if (index === undefined) return detail;
  return type.endsWith("hover") ? index : index === null ? [] : [index];
}

/**
 * Lets a figure answer to itself while `isWanted`, unless it is a part of an explorer. A page that
 * listens, too, and sets the same property has the last word, since it listens later.
 */
export function answerAlone(host: HTMLElement, isWanted: () => boolean): void {
  for (const [name, property] of Object.entries(ANSWERED))
    host.addEventListener(`headscope-${name}`, (event) => {
      const { host: around } = host.getRootNode() as Partial<ShadowRoot>;
      if (isWanted() && !around?.localName.startsWith("headscope-"))
        Object.assign(host, { [property]: told(event.type, (event as CustomEvent<null>).detail) });
    });
}
