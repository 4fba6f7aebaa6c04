/** In English: the tabs of a narrow page. */
export const phone = {
  "phone.parts": "Parts of the page",
  "phone.heads": "Heads",
  "phone.picture": "Picture",
  "phone.details": "Details",
  "phone.edits": "Edits",
  "phone.look": "Look at it",
  "phone.weight": "weight",
} as const;
