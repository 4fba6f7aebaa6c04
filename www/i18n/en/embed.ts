/** In English: figures in other pages, and the code that puts them there. */
export const embed = {
  "embed.waiting": "The picture is on its way.",
  "embed.explorerWaiting": "The explorer is on its way.",
  "embed.blank": "There is no text to show.",
  "embed.unreached": "A part of Headscope could not be fetched. Try again, or reload the page.",
  "embed.again": "Try again",
  "embed.nothingBeside":
    "There is nothing to compare with: name another text, another model or edits.",
  "embed.tokens": "Tokens of the text",
  "embed.share": "Share",
  "embed.copyPicture": "Copy embed code",
  "embed.copyGrid": "Copy embed code of all heads",
  "embed.copySpectrum": "Copy embed code of the singular values",
  "embed.copyExplorer": "Code of the whole explorer",
  "embed.copied": "Copied. Paste it into the HTML of a page.",
  "embed.byHand": "Copy this into the HTML of a page:",
  "embed.ownModel": "A model from your own disk cannot be embedded: nobody else has it.",
} as const;
