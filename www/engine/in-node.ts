/** Whether this code runs in Node, in the main thread or in a worker thread. */
export const inNode =
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !==
  undefined;

/** A module of Node. An import statement would be followed by the bundler of a web page. */
export const builtin: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name);
