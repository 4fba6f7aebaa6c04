/** In English: why a number that was typed on the bench is not taken. */
export const fields = {
  "field.noNumber.any": "A number from {least} to {most} belongs here. Nothing was changed.",
  "field.noNumber.whole":
    "A whole number from {least} to {most} belongs here. Nothing was changed.",
  "field.outOfRange.any":
    "{typed} is out of range: take a number from {least} to {most}. Nothing was changed.",
  "field.outOfRange.whole":
    "{typed} is out of range: take a whole number from {least} to {most}. Nothing was changed.",
  "field.notWhole":
    "{typed} is not whole: take a whole number from {least} to {most}. Nothing was changed.",
  "field.notEven":
    "{typed} is odd: take an even number from {least} to {most}. Nothing was changed.",
  "field.buckets":
    "The largest distance has to be more than half of the buckets: with {buckets} buckets, more than {half}. Nothing was changed.",
  "field.tokens":
    "“{typed}” is no list of tokens: write their places from 1 to {most}, such as “1, 3”. Nothing was changed.",
} as const;
