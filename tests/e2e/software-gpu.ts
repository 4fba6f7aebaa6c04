import config from "../../playwright.config.js";

const { launchOptions } = config.use ?? {};

/** What a story on a GPU runs with: Chromium's own imitation of one, which is right, and slow. */
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
