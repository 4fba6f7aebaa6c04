/** In English: the GPU, offered where there is one. */
export const gpu = {
  "gpu.use": "Compute on the GPU",
  "gpu.software": "{adapter}, which is software: right, but slower than the CPU",
  "gpu.unnamed": "unnamed",
  "gpu.refused": "The GPU cannot be used ({why}). The CPU computes instead; your text and edits are kept.",
  "gpu.lost": "The GPU stopped answering ({why}). The CPU goes on instead; your text and edits are kept.",
} as const;
