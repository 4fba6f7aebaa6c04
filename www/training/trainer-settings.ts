/** The settings of a training as its trainer takes them. */
import type { TrainerSettings } from "../data/index.js";
import type { TrainingSettings } from "./settings.js";

/** The settings of the method alone: a trainer refuses those that its method does not use. */
export function trainerSettings(settings: TrainingSettings): TrainerSettings {
  const { method, learningRate, warmUp, labelSmoothing, clip, schedule, steps } = settings;
  const { beta1, beta2, epsilon, weightDecay, momentum } = settings;
  return {
    method,
    learningRate,
    warmUp,
    labelSmoothing,
    ...(clip !== null && { clip }),
    ...(schedule === "cosine" && { cosineUntil: steps }),
    ...(method === "adamw" ? { betas: [beta1, beta2], epsilon, weightDecay } : { momentum }),
  };
}
