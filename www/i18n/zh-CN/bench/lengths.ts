import type { lengths as english } from "../../en/bench/lengths.js";

/** In simplified Chinese: texts that are longer than a model's positions, on the bench. */
export const lengths = {
  "lengths.title": "超出训练长度",
  "lengths.intro":
    "文本比训练中最长的还长时，在各种方案下每个词元的损失（Press 等，2022）。模型只用它自己的方案训练过；其他方案未经训练，直接替换。",
  "lengths.trainedTo": "训练这个模型时，最长的文本有 {trained} 个词元；它有 {positions} 个位置。",
  "lengths.trainedUnknown":
    "它有 {positions} 个位置；训练文本有多长，模型没有说明，因此视作同样长。",
  "lengths.translator":
    "对翻译模型来说，这是解码器在许多句子连成的译文上的损失；每种方案同时替换编码器和解码器自己的方案。编码器一次读入所有这些句子：如果它们超过 {source} 个词元，从解码器的第一行起，编码器就已超出训练，因此“以内”只就译文而言。",
  "lengths.gaps":
    "这个模型填补空缺，因此这里是被遮盖词元的损失：每次遮盖每 {apart} 个词元中的一个，共运行 {apart} 次，使每个词元恰被遮盖一次，并由两侧的上下文来预测（做法同 Salazar 等，2020）。下面不计每段文本首尾的 {around} 个词元。",
  "lengths.noMask": "这个模型填补空缺，但没有用来遮盖的词元，因此没有损失可读。",
  "lengths.silent": "这个模型没有词表上的输出，因此没有损失可读。",
  "lengths.text": "文本",
  "lengths.text.heldOut": "留出的句子",
  "lengths.text.own": "您自己的文本",
  "lengths.text.hint": "一段超过 {positions} 个词元的文本",
  "lengths.length": "直到",
  "lengths.times": "{tokens} 个词元，位置数的 {times} 倍",
  "lengths.schemes": "要比较的方案",
  "lengths.go": "在 {count} 种方案下阅读",
  "lengths.goOn": "继续阅读其余 {count} 种方案",
  "lengths.progress": "已读的词元",
  "lengths.done": "{all} 个词元中的 {done} 个",
  "lengths.stop": "停止",
  "lengths.window": "取平均",
  "lengths.window.none": "逐个词元",
  "lengths.anew": "模型自己的，重新开始",
  "lengths.x": "之前读过的词元数",
  "lengths.x.gaps": "在文本中的位置",
  "lengths.y": "损失，每词元奈特",
  "lengths.trained": "训练中最长",
  "lengths.last": "最后一个位置",
  "lengths.fares": "训练长度以内与之外的损失",
  "lengths.column.scheme": "方案",
  "lengths.column.rows": "读了",
  "lengths.column.within": "以内的损失",
  "lengths.column.beyond": "之后的损失",
  "lengths.column.rise": "上升",
  "lengths.rise": "{scheme}（{rise}）",
  "lengths.hold": "超过 {trained} 个词元后，损失上升不超过 {threshold} 奈特的方案：{schemes}。",
  "lengths.break":
    "超过 {trained} 个词元后失效的方案，即损失上升超过 {threshold} 奈特（每个词元的概率不到原来的一半）：{schemes}。",
  "lengths.already":
    "在 {trained} 个词元以内，损失就已比重新开始阅读同样的词元高出 {threshold} 奈特以上的方案：{schemes}。",
  "lengths.end": "位置在第 {positions} 个结束的方案：{schemes}。",
  "lengths.short": "文本没有超过训练所及的 {trained} 个词元，因此无从判断此外的情形。",
  "lengths.empty": "没有可预测的词元：文本至少要有两个词元。",
  "lengths.empty.gaps": "没有可遮盖的词元：文本至少要有一个词元。",
  "lengths.noSentences":
    "这个模型没有附带句子及其译文，而损失正是在这些译文上读取的：这里没有可读的内容。",
  "lengths.how":
    "“重新开始”是用模型自己的位置、从第一个位置起阅读同样的词元：写作模型按互相重叠一半的窗口，翻译模型逐句阅读，填补空缺的模型也按互相重叠一半的窗口，但只计每个窗口的中间部分，使被遮盖的词元两侧都有上下文。“上升”是一种方案在 {trained} 个词元之后比之前多损失多少，两边都先减去它；因此较难的一段文本不会被当作失效。",
  "lengths.refused":
    "学习得到的位置表用完之后没有下一行：引擎会拒绝更长的文本，读的是放得下的部分。波和旋转可以继续：正弦和旋转方案就是这样读的。",
  "lengths.refused.computed":
    "模型自己的位置是算出来的，本可以继续；但它只按 {positions} 个位置配置，引擎会拒绝更长的文本，读的是放得下的部分。",
} as const satisfies Record<keyof typeof english, string>;
