import { Pen, type Brush, type Inks } from "../theme.js";

// For tests of painters: a brush that draws nothing and records every call.

export interface Stroke {
  call: string;
  args: readonly unknown[];
  /** The fill colour at the time. */
  fill: unknown;
}

const CHARACTER_WIDTH = 6;

type Canvas = Brush & Pick<CanvasRenderingContext2D, "clearRect">;

export interface Recorder {
  brush: Canvas;
  /** A pen on `brush` with the test's inks. */
  pen: Pen<Canvas>;
  /** What was done with `call`, in order. */
  done: (call: string) => Stroke[];
}

export function recorder(): Recorder {
  const strokes: Stroke[] = [];
  const settings: Record<string, unknown> = {};
  const brush = new Proxy(Object.create(null) as CanvasRenderingContext2D, {
    set(_, name, value) {
      settings[String(name)] = value;
      return true;
    },
    get(_, name) {
      const call = String(name);
      if (call in settings) return settings[call];
      return (...args: unknown[]) => {
        strokes.push({ call, args, fill: settings.fillStyle });
        return { width: String(args[0]).length * CHARACTER_WIDTH };
      };
    },
  });
  return {
    brush,
    pen: new Pen<Canvas>(brush, testInks),
    done: (call) => strokes.filter((stroke) => stroke.call === call),
  };
}

/** Inks that name themselves, so that a test can tell which one was used. */
export const testInks: Inks = {
  ground: "light",
  ink: "ink",
  paper: "paper",
  muted: "muted",
  line: "line",
  accent: "accent",
  font: "sans-serif",
};
