import type { phone as english } from "../en/phone.js";

/** In simplified Chinese: the tabs of a narrow page. */
export const phone = {
  "phone.parts": "页面各部分",
  "phone.heads": "头",
  "phone.picture": "图",
  "phone.details": "详情",
  "phone.edits": "改动",
  "phone.look": "看这个头",
  "phone.weight": "权重",
} satisfies Record<keyof typeof english, string>;
