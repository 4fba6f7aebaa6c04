import type { embed as english } from "../en/embed.js";

/** In simplified Chinese: figures in other pages, and the code that puts them there. */
export const embed = {
  "embed.waiting": "图正在加载。",
  "embed.explorerWaiting": "Headscope 正在加载。",
  "embed.blank": "没有可显示的文本。",
  "embed.unreached": "Headscope 的部分代码加载失败。请重试，或刷新页面。",
  "embed.again": "重试",
  "embed.nothingBeside": "没有可比较的内容：请指定另一段文本、另一个模型或编辑。",
  "embed.tokens": "文本的词元",
  "embed.share": "分享",
  "embed.copyPicture": "复制嵌入代码",
  "embed.copyGrid": "复制所有注意力头的嵌入代码",
  "embed.copySpectrum": "复制奇异值的嵌入代码",
  "embed.copyExplorer": "整个 Headscope 的嵌入代码",
  "embed.copied": "已复制，可粘贴到网页的源代码中。",
  "embed.byHand": "请将以下代码复制到网页的源代码中：",
  "embed.ownModel": "来自你磁盘的模型无法嵌入：其他人没有它。",
} satisfies Record<keyof typeof english, string>;
