import type { entries as english } from "../en/entries.js";

/** In simplified Chinese: what leads to parts of the page that come later, with sentences of their own. */
export const entries = {
  "export.open": "导出",
  "export.label": "导出",

  "pairs.begin": "对比…",
  "pairs.withOriginal": "与未改动的结果对比",
  "pairs.difference": "差",
  "pairs.noCounterpart": "没有对应的词",
  "pairs.signs": "+ 只在第一个中，− 只在第二个中",
  "figure.difference": "差：{queries} 个查询 × {keys} 个键",
  "undo.compare": "对比",
  "undo.otherModel": "更换另一个模型",
  "undo.otherText": "修改另一个句子",
  "undo.aligned": "更改对齐方式",
  "undo.pairs": "词元的对应",
} as const satisfies Record<keyof typeof english, string>;
