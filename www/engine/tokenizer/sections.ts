import type { AddedToken } from "@huggingface/tokenizers";

/** A stretch of text, or an added token that stands in it. */
export type Section = { text: string; added: null } | { text: string; added: AddedToken };

/** Cuts a text at the added tokens that it spells out, the longest first. */
export function cutAtAdded(text: string, added: readonly AddedToken[]): Section[] {
  if (added.length === 0) return text === "" ? [] : [{ text, added: null }];
  const byContent = new Map(added.map((token) => [token.content, token]));
  const contents = [...byContent.keys()].sort((a, b) => b.length - a.length).map(escape);
  const sections = text
    .split(new RegExp(`(${contents.join("|")})`, "u"))
    .map((part): Section => ({ text: part, added: byContent.get(part) ?? null }));
  for (const [at, { added: token }] of sections.entries()) {
    const before = sections[at - 1];
    const after = sections[at + 1];
    if (token?.lstrip === true && before !== undefined)
      before.text = before.text.replace(/\p{White_Space}+$/u, "");
    if (token?.rstrip === true && after !== undefined)
      after.text = after.text.replace(/^\p{White_Space}+/u, "");
  }
  return sections.filter((section) => section.text !== "");
}

function escape(content: string): string {
  return content.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
