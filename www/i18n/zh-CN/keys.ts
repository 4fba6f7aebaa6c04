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
  "keys.help": "本列表",
  "keys.pick": "把这个词元也选中",
} as const satisfies Record<keyof typeof english, string>;
