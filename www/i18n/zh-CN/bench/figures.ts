import type { figures as english } from "../../en/bench/figures.js";

/** In simplified Chinese: what all figures and all long pieces of work of the bench say. */
export const figures = {
  "bench.crashed": "引擎意外停止，这项计算还没有得出任何结果。可以重新开始。",
  "bench.crashed.kept":
    "引擎意外停止，这项计算也随之中断。此前算出的结果都已保留，可以继续算完其余部分。",
  "bench.gpuLost": "GPU 出了错，这项计算还没有得出任何结果。可以由 CPU 重新开始。",
  "bench.gpuLost.kept":
    "GPU 出了错，这项计算也随之中断。此前算出的结果都已保留，可以由 CPU 继续算完其余部分。",
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
