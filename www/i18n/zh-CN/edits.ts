import type { edits as english } from "../en/edits.js";

/** In simplified Chinese: edits, and the steps that undo takes back. */
export const edits = {
  "edits.title": "你的改动",
  "edits.none": "还没有。屏蔽一个格子或让一个头静默，看看译文如何变化。",
  "edits.noneDecoder": "还没有。屏蔽一个格子或让一个头静默，看看模型接着会写什么。",
  "edits.noneEncoder": "还没有。屏蔽一个格子或让一个头静默，看看模型如何填空。",
  "edits.clear": "全部清除",
  "edits.undo": "撤销",
  "edits.redo": "重做",
  "edits.remove": "撤销这个改动：{edit}",
  "edits.undoStep": "撤销：{step}",
  "edits.redoStep": "重做：{step}",

  "undo.tour": "导览的一步",
  "undo.model": "更换模型",
  "undo.text": "修改文字",
  "undo.target": "修改译文",
  "undo.masks": "修改掩码",
  "undo.heads": "注意力头的改动",
  "undo.blocks": "层块的改动",
  "undo.edits": "多处改动",
  "undo.hidden": "隐藏词元",
  "undo.view": "切换视图",
} satisfies Record<keyof typeof english, string>;
