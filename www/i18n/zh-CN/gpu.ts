import type { gpu as english } from "../en/gpu.js";

/** In simplified Chinese: the GPU, offered where there is one. */
export const gpu = {
  "gpu.use": "用 GPU 计算",
  "gpu.software": "{adapter}，由软件模拟：结果正确，但比 CPU 慢",
  "gpu.unnamed": "未命名",
  "gpu.refused": "无法使用 GPU（{why}），已改由 CPU 计算；你的文本和编辑都还在。",
  "gpu.lost": "GPU 停止了响应（{why}），由 CPU 继续计算；你的文本和编辑都还在。",
} as const satisfies Record<keyof typeof english, string>;
