/** In English: the GPU, offered where there is one. */
export const gpu = {
  "gpu.use": "Compute on the GPU",
  "gpu.software": "{adapter}, which is software: right, but slower than the CPU",
  "gpu.unnamed": "unnamed",
  "gpu.onCpu": "The CPU computes the attention of {count} {count|layer|layers}.",
} as const;
