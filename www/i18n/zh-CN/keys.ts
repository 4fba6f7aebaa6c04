import type { keys as english } from "../en/keys.js";

/** In simplified Chinese: the list of keys. */
export const keys = {
  "keys.title": "快捷键",
  "keys.close": "关闭",
  "keys.move": "在图或网格中移动",
  "keys.lock": "锁定格子，或选择头",
  "keys.release": "取消锁定",
  "keys.block": "在图中屏蔽或恢复格子",
  "keys.silence": "让头静默或恢复",
  "keys.solo": "在网格中让同层其他头静默或恢复",
  "keys.zoom": "在图中放大、缩小或显示全部",
  "keys.layer": "上一层或下一层",
  "keys.head": "前一个头或后一个头",
  "keys.undo": "撤销或重做",
  "keys.undoable":
    "撤销会收回你所做的改动：文本、模型、编辑、隐藏的词元、对比、你的数，以及实验室中的设置。你在看什么不算一步：头、图及其阶段、锁定的格子、打开的实验台。",
  "keys.help": "本列表",
  "keys.pick": "把这个词元也选中",
} as const satisfies Record<keyof typeof english, string>;
