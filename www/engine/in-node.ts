/** Whether this code runs in Node, in the main thread or in a worker thread. */
export const inNode =
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !==
  undefined;
