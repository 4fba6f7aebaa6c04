import type { gpu as english } from "../en/gpu.js";

/** In simplified Chinese: the GPU, offered where there is one. */
export const gpu = {
  "gpu.use": "用 GPU 计算",
  "gpu.software": "{adapter}，由软件模拟：结果正确，但比 CPU 慢",
  "gpu.unnamed": "未命名",
  "gpu.onCpu": "其中 {count} 层的注意力由 CPU 计算。",
} as const satisfies Record<keyof typeof english, string>;
