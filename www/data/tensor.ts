/** Numbers with their shape and the name of each axis: what every figure draws. */
export interface Tensor {
  /** Row-major values. */
  data: Float32Array;
  shape: number[];
  /** One name per axis, for instance `["query", "key"]` or `["layer", "head", "query", "key"]`. */
  axes: string[];
}
