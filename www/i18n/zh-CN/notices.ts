import type { notices as english } from "../en/notices.js";

/** In simplified Chinese: notices and errors; a code without a sentence here shows the engine’s own sentence. */
export const notices = {
  "notice.label": "通知",
  "notice.dismiss": "关闭",
  "notice.restarted": "引擎意外停止，已经重新启动。你的文字和改动都还在。",
  "notice.gpu/absent": "浏览器没有提供 GPU，已改由 CPU 计算。你的文字和改动都还在。",
  "notice.gpu/unavailable": "无法使用 GPU，已改由 CPU 计算。你的文字和改动都还在。",
  "notice.gpu/lost": "GPU 出了错，由 CPU 继续计算。你的文字和改动都还在。",
  "notice.gpu/silent": "GPU 停止了响应，由 CPU 继续计算。你的文字和改动都还在。",
  "notice.hash": "链接中有一部分无法读取，已保持默认值：{fields}。",
  "notice.hashVersion": "这个链接来自更新版本的 Headscope；能读取的部分已保留。",

  "notice.place.stack":
    "这个模型没有“{asked}”。现在显示的是“{stack}”第 {layer} 层第 {head} 头；可在头的网格中另选。",
  "notice.place.head":
    "这里的“{stack}”没有第 {askedLayer} 层第 {askedHead} 头。现在显示的是最接近的第 {layer} 层第 {head} 头；可在头的网格中另选。",
  "notice.place.number":
    "要锁定的数不在这个块的步骤中，现在显示的是词对的权重。点击步骤图中的一个数即可锁定。",
  "notice.place.held":
    "要锁定的词对或词元不在这段文本中，因此没有锁定。点击一个格子或词元即可锁定。",

  "error.folder": "无法打开这个文件夹：{message}",
  "error.attribute/unreadable": "无法读取属性 {got}。正确的写法：{expected}。",
  "error.attribute/absent": "属性 {got} 指定的内容不存在。可用的有：{expected}。",
  "error.input/too-long": "这段文字对模型来说太长了，它最多读 {limit} 个词元。请缩短。",
  "error.tooManyTokens":
    "这段文字对模型来说太长了：它有 {count} 个词元，而模型最多读 {limit} 个。请至少删去 {over} 个。",
  "error.earlierText": "{sentence}图中显示的是上一段放得下的文字。",
  "error.input/out-of-range": "这里有一个数无法使用：应为 {expected}，实为 {got}。请改一下这个数。",
  "error.input/*": "模型无法读取这个输入：应为 {expected}，实为 {got}。请修改文字。",
  "error.load/network":
    "这个模型还没有存到你的设备上：无法下载 {expected}。请检查网络，然后重新加载。",
  "error.load/timeout": "{expected} 所在的服务器没有响应。请检查网络，或稍后再试。",
  "error.load/cross-origin":
    "{expected} 所在的服务器不允许其他网站的页面读取它。服务器须发送“Access-Control-Allow-Origin”标头；也可以把模型放到本站。",
  "error.load/blocked":
    "本站的内容安全策略禁止 {expected}。请在 {got} 指令中允许它，然后重新加载模型。",
  "error.load/not-found": "找不到 {expected}。请把文件放到那里，或更正地址，然后重新加载模型。",
  "error.load/engine-not-found":
    "缺少 Headscope 的文件：{expected}。请把它的全部文件放到服务器上，然后重新加载模型。",
  "error.load/wasm":
    "这个浏览器无法启动带 SIMD 的 WebAssembly。请使用新版 Chromium、Firefox 或 Safari。",
  "error.load/bad-tokenizer":
    "模型的 tokenizer.json 无法使用：应含 {expected}，实为 {got}。请重新加载模型。",
  "error.tokenizer/*":
    "模型的 tokenizer.json 无法使用：应含 {expected}，实为 {got}。请重新加载模型。",
  "error.load/*": "无法加载模型：{message} 请重新加载。",
  "error.checkpoint/*":
    "模型的权重无法使用：文件应含 {expected}，实为 {got}。文件可能不完整，请重新加载模型。",
  "error.config/*": "模型的 config.json 无法使用：应含 {expected}，实为 {got}。请重新加载模型。",
  "error.edit/*": "有一个改动无法应用：应为 {expected}，实为 {got}。请在图的下方撤销它。",
  "error.selection/too-large": "文本太长，无法计算。请缩短。",
  "error.selection/*": "模型没有这个头或位置：它有 {expected}，而请求的是 {got}。请选择另一个头。",
  "error.output/*": "这个模型给不出所要的内容：{expected}。请选择另一种图。",
  "error.run/not-finite":
    "计算中出现了 NaN 或无穷大：权重或改动过大。请撤销改动，或选择另一个模型。",
  "error.notFiniteLayer":
    "{stack}第 {layer} 层出现了 NaN 或无穷大：权重或改动过大。之前各层仍可查看。请撤销改动，或选择另一个模型。",
  "error.gpu/absent": "浏览器没有提供 GPU。请改用 CPU 计算。",
  "error.gpu/silent": "GPU 没有响应。请改用 CPU 计算。",
  "error.gpu/lost": "GPU 出了错，改由 CPU 继续计算。请修改文字或按下按钮重试。",
  "error.gpu/*": "这里无法使用 GPU。请改用 CPU 计算。",
  "error.engine/crashed": "引擎意外停止。请修改文字或按下按钮重试。",
  "error.engine/not-restarted":
    "引擎已停止，且无法重新启动。请重新加载模型；你输入的内容仍然保留。",
  "error.engine/disposed": "模型已被释放。请重新加载；你输入的内容仍然保留。",
  "error.engine/*": "引擎出了错：{got}。请重新计算；如果再次出现，请报告这个问题。",
  "error.unexpected": "发生了意外：{message}",

  "notice.noLink":
    "页面内容太多，链接里放不下。可以把它保存为文件：以后能在这里重新打开，也能发给别人。",
  "notice.hashTooLong": "这个链接太长，不会是 Headscope 的页面，所以没有读取。",

  "error.file/not-json": "这个文件不是已保存的页面，或者不完整：里面不是 JSON。请另选一个。",
  "error.file/not-a-page": "这个文件不是 Headscope 保存的页面。请另选一个。",
  "error.file/too-large": "这个文件太大，不会是已保存的页面。请另选一个。",
  "error.file/unreadable": "无法读取这个文件。请重新选择。",
} satisfies Record<keyof typeof english, string>;
