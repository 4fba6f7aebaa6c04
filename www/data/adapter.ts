/** A GPU as the browser names it; what it keeps to itself is an empty text. */
export interface Adapter {
  /** Such as `nvidia`, and its line of chips, such as `ampere`. */
  vendor: string;
  architecture: string;
  description: string;
  /** Whether it only imitates a GPU: right, but slower than the CPU backend. */
  software: boolean;
}
