import type { ReactiveController, ReactiveControllerHost } from "lit";
import { isCrash } from "../run/failures.js";

/**
 * The answer to the newest question. While the next one is on its way the last answer stays, so that nothing flickers;
 * what is out of date is stopped.
 */
export class Asked<Answer> implements ReactiveController {
  /** Null before the first answer, and after a failure. */
  answer: Answer | null = null;
  failure: Error | null = null;
  private inputs: readonly unknown[] | null = null;
  private running: AbortController | null = null;
  /** Whether `answer` is that to an earlier question, until the next one is here. */
  stale = false;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** Asks if any input is another value than the last time. */
  ask(inputs: readonly unknown[], question: (signal: AbortSignal) => Promise<Answer>): void {
    if (this.inputs && inputs.every((input, index) => Object.is(input, this.inputs?.[index])))
      return;
    this.inputs = inputs;
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.stale = this.answer !== null;
    const settle = (answer: Answer | null, failure: Error | null): void => {
      if (this.running !== running) return;
      this.answer = answer;
      this.failure = failure;
      this.stale = false;
      this.host.requestUpdate();
    };
    const put = (again: boolean): void => {
      question(running.signal).then(
        (answer) => settle(answer, null),
        (thrown: unknown) => {
          // The thread that was to answer is gone and another begins: that may have had nothing to do with what was asked.
          if (again && isCrash(thrown) && this.running === running) put(false);
          else settle(null, thrown instanceof Error ? thrown : new Error(String(thrown)));
        },
      );
    };
    put(true);
  }

  /** Lets the answer go; what is still under way is stopped. */
  clear(): void {
    this.hostDisconnected();
    [this.answer, this.failure, this.stale] = [null, null, false];
  }

  /** What was let go when the host left the page is asked for anew. */
  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.running?.abort();
    this.running = null;
    this.inputs = null;
  }
}
