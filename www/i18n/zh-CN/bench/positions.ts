import type { positions as english } from "../../en/bench/positions.js";

/** In simplified Chinese: where tokens stand, on the bench. */
export const positions = {
  "at.intro": "词元如何知道自己的位置。换上另一种方案后，其后的一切都会重新计算。",
  "at.noText": "请先输入一句话：位置是其中词元的位置。",
  "at.stack": "谁的位置",
  "at.scheme": "方案",
  "at.layout": "正弦与余弦",
  "at.layout.model": "默认",
  "at.layout.interleaved": "交错排列",
  "at.layout.halves": "前后两半",
  "at.table": "位置表",
  "at.table.own": "模型自己的",
  "at.table.drawn": "按种子生成",
  "at.untrained.hint": "这种方案的数值按种子生成，模型从未用它们训练过：未训练。",
  "at.model.hint": "词元按模型训练时的方式知道自己的位置。",
  "at.none.hint": "没有任何东西说明词元在哪里。剩下的顺序信息只来自掩码。",
  "at.sinusoidal.hint": "把许多种波长的波加到嵌入上（Vaswani 等，2017，第 3.5 节）。",
  "at.learned.hint": "每个位置有一行，加到嵌入上（Devlin 等，2019，第 3 节）。",
  "at.rotary.hint": "查询和键被旋转，使它们的乘积只取决于距离（Su 等，2021，第 3.2 节）。",
  "at.alibi.hint": "每个分数按距离扣减，每个头有自己的斜率（Press 等，2022，第 3 节）。",
  "at.t5.hint": "每个头、每个距离桶有一个数，加到分数上（Raffel 等，2020，第 2.1 节）。",
  "at.transformer-xl.hint":
    "内容与距离以四项相遇：q·k、q·r、u·k 和 v·r（Dai 等，2019，第 3.3 节）。",
  "at.rotary.odd":
    "旋转位置成对地转动维度。这个模型的一个头有 {width} 维，是奇数：这里不能选择旋转位置。",
  "at.order": "位置的顺序",
  "at.order.hint": "把词元拖到别处，或用方向键移动。文本不变，变的只是词元以为自己所在的位置。",
  "at.order.token": "{token}，第 {place} 位，共 {count} 位",
  "at.order.restore": "恢复文本的顺序",
  "at.order.long": "只有不超过 {count} 个词元的文本才能移动词元。",
  "at.heads": "哪些头失效了",
  "at.heads.hint":
    "每个头的权重与使用模型自己的位置时相差多少：Jensen–Shannon 散度，单位奈特，相同为 0，最大 {most}。{count} 个头中有 {broken} 个相差超过 {threshold}。",
  "at.heads.head": "第 {layer} 层 · 第 {head} 头",
  "at.heads.broken": "失效的头，变化最大的在前",
  "at.heads.others": "没有失效的头，变化最大的在前",
  "at.heads.whole": "{count} 个头没有失效",
  "at.heads.none": "换一种方案或顺序，看看哪些头会失效。",
  "at.measure": "测量",
  "at.measuring": "正在测量…",
  "at.failed": "无法测量。{sentence}",
  "at.permuted": "换一个顺序的词元",
  "at.permuted.hint":
    "把同样的词元打乱后再送进模型一次。如果变的只有顺序，输出的每一行都会跟着它的词元移动，剩下的只是舍入误差。",
  "at.permuted.same":
    "打乱词元只会打乱输出，别无其他：单个数最多相差 {number}，各行最多相差 ‖Δ‖ = {row}。",
  "at.permuted.other":
    "打乱词元改变的不只是输出的顺序：单个数最多相差 {number}，各行最多相差 ‖Δ‖ = {row}。",
  "at.permuted.own": "使用模型自己的位置时分别为 {number} 和 {row}。",
  "at.permuted.causal": "因果掩码仍然知道顺序：每个词元看到的词元与之前不同。",
} as const satisfies Record<keyof typeof english, string>;
