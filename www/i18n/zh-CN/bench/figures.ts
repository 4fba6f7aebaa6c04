import type { figures as english } from "../../en/bench/figures.js";

/** In simplified Chinese: what all figures of the bench say. */
export const figures = {
  "curves.name": "{y}，随{x}变化：{lines}",
  "curves.help": "左右方向键沿曲线移动，并读出每条线的数值。",
  "saving.save": "保存",
  "saving.notYet": "句子计算完成之前没有可保存的内容。",
  "saving.ownModel": "你自己磁盘上的模型无法写进链接：别人没有它。",
  "saving.byHand": "请手动复制：",
  "saving.divergence": "Jensen–Shannon 散度（奈特）",
  "saving.weightsApart": "权重的最大差异",
  "saving.outputApart": "输出的最大差异",
} satisfies Record<keyof typeof english, string>;
