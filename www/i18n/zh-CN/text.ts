import type { text as english } from "../en/text.js";

/** In simplified Chinese: sentences, translations, tokens and what the model predicts. */
export const text = {
  "text.label": "句子和译文",
  "text.labelAlone": "句子",
  "text.yours": "你的句子",
  "text.placeholder": "请输入一句话",
  "text.invitation": "输入一句话，看看它的注意力。",
  "text.samples": "试试例句",
  "text.translation": "模型写出的译文",
  "text.translationPlaceholder": "译文会出现在这里",
  "text.writing": "正在写…",
  "text.own": "你自己的译文",
  "text.letModelWrite": "让模型来写",
  "text.ownHint": "在此输入，改看你自己的译文",
  "text.orYourOwn": "也可以输入你自己的译文",
  "text.ownPlaceholder": "输入你自己的译文",
  "text.unedited": "没有改动时：",
  "text.unchanged": "你的改动没有改变这些词；请看概率。",
  "text.unknownPieces": "模型不认识带点线框的部分。",
  "text.sourceTokens": "你的句子的词元",
  "text.targetTokens": "译文的词元",
  "text.clickToHide": "点击一个词元把它藏起来，让模型来填空。",
  "text.clickToShow": "再点一次隐藏的词元即可恢复。",

  "go.label": "接着写",
  "go.nothing": "模型没有要补充的。",
  "go.candidates": "可能的下一个词元：点击即可添加",
  "go.add": "添加“{token}”，{share}",

  "token.start": "开始",
  "token.end": "结束",
  "token.pad": "填充",
  "token.mask": "遮住",
  "token.unknown": "未知",
  "token.unknownPiece": "{token}，模型不认识",
  "token.hidden": "{token}，已对模型隐藏",

  "fill.title": "模型认为“{token}”处应是",
  "fill.short": "“{token}”处：{guesses}",
  "fill.hint": "把句中的一个词元藏起来，看看模型会填什么。",
  "fill.true": "原词“{token}”的概率为 {share}。",
} satisfies Record<keyof typeof english, string>;
