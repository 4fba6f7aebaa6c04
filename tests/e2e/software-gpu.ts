import config from "./playwright.config.js";

const { launchOptions } = config.use ?? {};

/** Options of a test on a GPU: Chromium's software adapter, which is right and slow. */
export const SOFTWARE_GPU = {
  actionTimeout: 30_000,
  launchOptions: {
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      "--enable-unsafe-webgpu",
      "--use-webgpu-adapter=swiftshader",
    ],
  },
};
