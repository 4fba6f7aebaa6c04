/**
 * The presets: trainings that teach, each as its links, of which the second is the same training
 * with one thing changed. `docs/training.md` has what each of them was measured to do.
 */

/** The links of a training, and of the one beside it. */
export type Preset = readonly [link: string, beside?: string];

export const PRESETS = {
  /** A head that finds what followed the earlier copy. */
  induction: ["induction_heads.2_positions.rotary_steps.800"],
  /** Two layers can do induction, one cannot. */
  layers: [
    "induction_heads.2_positions.rotary_steps.800",
    "induction_layers.1_heads.2_positions.rotary_steps.800",
  ],
  /** Remainders by heart, and long after computed. */
  grokking: ["modular_layers.1_weightDecay.1_batch.96_steps.1600"],
  /** No √d, no learning. */
  scale: [
    "copy_length.6_layers.1_width.128_heads.1_steps.300",
    "copy_length.6_layers.1_width.128_heads.1_scale.false_steps.300",
  ],
  /** No positions, no sorting. */
  positions: [
    "sort_length.6_kind.encoder_width.32_heads.2_steps.300",
    "sort_length.6_kind.encoder_width.32_heads.2_positions.none_steps.300",
  ],
  /** No mask: it cheats. */
  mask: ["addition_width.32_steps.200", "addition_width.32_mask.false_steps.200"],
  /** Without residuals a deep stack learns late. */
  residuals: [
    "copy_length.6_layers.4_width.32_steps.200",
    "copy_length.6_layers.4_width.32_residuals.false_steps.200",
  ],
  /** Norms after the sums need a warm-up. */
  place: [
    "copy_length.6_layers.4_width.32_place.post_learningRate.0.01_warmUp.100_steps.300",
    "copy_length.6_layers.4_width.32_place.post_learningRate.0.01_warmUp.0_steps.300",
  ],
  copy: ["copy"],
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESETS;
