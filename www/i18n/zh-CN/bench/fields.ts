import type { fields as english } from "../../en/bench/fields.js";

/** In simplified Chinese: why a number that was typed on the bench is not taken. */
export const fields = {
  "field.noNumber.any": "这里需要一个 {least} 到 {most} 之间的数。没有作任何改动。",
  "field.noNumber.whole": "这里需要一个 {least} 到 {most} 之间的整数。没有作任何改动。",
  "field.outOfRange.any": "{typed} 超出范围：请输入 {least} 到 {most} 之间的数。没有作任何改动。",
  "field.outOfRange.whole":
    "{typed} 超出范围：请输入 {least} 到 {most} 之间的整数。没有作任何改动。",
  "field.notWhole": "{typed} 不是整数：请输入 {least} 到 {most} 之间的整数。没有作任何改动。",
  "field.notEven": "{typed} 是奇数：请输入 {least} 到 {most} 之间的偶数。没有作任何改动。",
  "field.buckets":
    "最大距离必须大于桶数的一半：有 {buckets} 个桶时，须大于 {half}。没有作任何改动。",
  "field.tokens":
    "“{typed}”不是词元列表：请写出 1 到 {most} 之间的位置，例如“1, 3”。没有作任何改动。",
} satisfies Record<keyof typeof english, string>;
