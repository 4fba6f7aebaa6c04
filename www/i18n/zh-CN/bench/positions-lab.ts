import type { positionsLab as english } from "../../en/bench/positions-lab.js";

/** In simplified Chinese: the laboratory of positions on the bench. */
export const positionsLab = {
  "posLab.title": "实验室：每种方案如何运作",
  "posLab.intro": "不涉及任何文本：调节一种方案的数值，看看它会得出什么。",
  "posLab.which": "位置方案",
  "posLab.sinusoidal": "正弦",
  "posLab.learned": "学习得到",
  "posLab.rotary": "旋转",
  "posLab.alibi": "ALiBi",
  "posLab.buckets": "T5",
  "posLab.fourTerms": "Transformer-XL",
  "posLab.dim": "维数 d",
  "posLab.base": "底数 b",
  "posLab.length": "位置数",
  "posLab.table": "位置表",
  "posLab.sinusoidal.paper":
    "Ashish Vaswani、Noam Shazeer、Niki Parmar、Jakob Uszkoreit、Llion Jones、Aidan N. Gomez、Łukasz Kaiser、Illia Polosukhin：Attention Is All You Need，NIPS 2017，第 3.5 节（b = 10,000）。",
  "posLab.sinusoidal.intro":
    "每一对维度是一列波，第一对波长最短。没有任何东西是学习得到的，也没有最后一个位置。图中的位置和维度从 1 数起，公式中的 p 和 i 从 0 数起。",
  "posLab.wave": "其中一对的波",
  "posLab.pair": "第 i 对",
  "posLab.wavelength": "i = {pair} 的一对波每隔 λ = {length} 个位置重复一次。",
  "posLab.sine": "正弦",
  "posLab.cosine": "余弦",
  "posLab.product": "点积",
  "posLab.products": "位置之间的点积",
  "posLab.products.hint": "每条对角线上的数都相同：点积只取决于距离。",
  "posLab.products.odd": "最后一对没有余弦：同一条对角线上的数不完全相同，d 和 b 越小，相差越大。",
  "posLab.profile": "平均点积随距离的变化",
  "posLab.apart": "相距的位置数",
  "posLab.noModel": "请先载入一个模型：这里显示的是它自己的位置表。",
  "posLab.noTable": "载入的模型不给词元加位置表。它的位置方案是{scheme}：转动的是查询和键。",
  "posLab.learned.paper":
    "Jonas Gehring、Michael Auli、David Grangier、Denis Yarats、Yann N. Dauphin：Convolutional Sequence to Sequence Learning，ICML 2017，第 3.1 节。用于 Transformer：Jacob Devlin、Ming-Wei Chang、Kenton Lee、Kristina Toutanova：BERT，NAACL 2019，第 3 节。",
  "posLab.learned.count": "图中的位置和维度从 1 数起，公式中的 p 和 q 从 0 数起。",
  "posLab.learned.own":
    "载入的模型为它的 {positions} 个位置各学到了一行 {dimensions} 个数，更远的位置它不认识。",
  "posLab.learned.computed":
    "载入的模型没有学习位置表：它的表由正弦和余弦算出，与实验室算出的最多相差 {difference}。",
  "posLab.learned.alike": "相邻位置的余弦平均为 {near}，相距 {far} 的位置平均为 {value}。",
  "posLab.cosines": "位置之间的相似度",
  "posLab.cosines.hint": "两行之间夹角的余弦：方向相同为 1，毫无共同之处为 0。",
  "posLab.cosineOf": "余弦",
  "posLab.cosineProfile": "平均余弦随距离的变化",
} as const satisfies Record<keyof typeof english, string>;
