/** In English: what all figures and all long pieces of work of the bench say. */
export const figures = {
  "bench.crashed":
    "The engine stopped unexpectedly before anything of this was computed. You can begin again.",
  "bench.crashed.kept":
    "The engine stopped unexpectedly, and this with it. What was computed until then is kept; go on with the rest.",
  "bench.gpuLost":
    "The GPU failed before anything of this was computed. You can begin again, on the CPU.",
  "bench.gpuLost.kept":
    "The GPU failed, and this with it. What was computed until then is kept; go on with the rest on the CPU.",
  "curves.name": "{y} by {x}: {lines}",
  "curves.help": "Left and right move along the lines and read the numbers of each.",
  "saving.save": "Save",
  "saving.notYet": "There is nothing to save until the sentence is computed.",
  "saving.ownModel": "A model from your own disk is in no link: nobody else has it.",
  "saving.byHand": "Copy this by hand:",
  "saving.divergence": "Jensen–Shannon divergence (nats)",
  "saving.weightsApart": "Largest difference of a weight",
  "saving.outputApart": "Largest difference of the output",
} as const;
