// What a trainer is asked for: it refuses settings that its method does not use.
import { expect, it } from "vitest";
import { usualSettings } from "./settings.js";
import { trainerSettings } from "./trainer-settings.js";

it("a trainer is asked for what its method and its schedule use, and no more", () => {
  const own = { ...usualSettings("copy"), steps: 700, clip: 0.5, momentum: 0.8, beta1: 0.7 };
  const adam = trainerSettings({ ...own, method: "adamw", schedule: "cosine" });
  expect(adam).toMatchObject({ method: "adamw", clip: 0.5, cosineUntil: 700 });
  expect(adam).toMatchObject({ betas: [0.7, own.beta2], weightDecay: own.weightDecay });
  expect(adam).not.toHaveProperty("momentum");
  const descent = trainerSettings({ ...own, method: "sgd", schedule: "constant", clip: null });
  expect(Object.keys(descent).toSorted()).toEqual(
    ["labelSmoothing", "learningRate", "method", "momentum", "warmUp"].toSorted(),
  );
  expect(descent).toMatchObject({ momentum: 0.8, warmUp: own.warmUp });
});
