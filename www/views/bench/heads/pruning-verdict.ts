import { formatFixed, formatList, formatPercent, message } from "../../../i18n/index.js";
import type { Loss } from "./pruning-study.js";

const DIGITS = { loss: 2, bleu: 1 } as const;

/** What the numbers at the marked share say in words, whatever they are; `losses` are of one kind or more, most first. */
export function verdictOf(losses: readonly Loss[], measured: "loss" | "bleu"): string {
  const [worst] = losses;
  if (!worst) return "";
  const said = (value: number): string => formatFixed(value, DIGITS[measured]);
  // Of whole heads not every kind has the same share.
  const share = formatList([...new Set(losses.map((loss) => percent(loss.share)))]);
  if (losses.length === 1)
    return message(`pruning.alone.${measured}`, {
      share,
      before: said(worst.before),
      after: said(worst.after),
    });
  const kinds = formatList(
    losses.map(({ stack, after }) =>
      message("pruning.kind", { stack: message(`stack.${stack}`), after: said(after) }),
    ),
  );
  const most = !suffers(worst, measured)
    ? message("pruning.noneSuffers")
    : worst.stack === "cross"
      ? message("pruning.crossMost")
      : message("pruning.otherMost", { stack: message(`stack.${worst.stack}`) });
  return `${message(`pruning.at.${measured}`, { share, before: said(worst.before), kinds })} ${most}`;
}

/** Whether it does worse, as far as the numbers that are shown tell. */
function suffers({ before, after }: Loss, measured: "loss" | "bleu"): boolean {
  const [from, to] = [before, after].map((value) => Number(value.toFixed(DIGITS[measured])));
  return from !== undefined && to !== undefined && (measured === "loss" ? to > from : to < from);
}

function percent(share: number): string {
  const tenths = Math.round(share * 1000);
  return formatPercent(share, tenths % 10 === 0 ? 0 : 1);
}
