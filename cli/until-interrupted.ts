import { Interrupted } from './exit-codes.ts';

/** Runs `work` with a signal that Ctrl-C (or SIGTERM) aborts. A second one ends the process at once. */
export async function untilInterrupted<Outcome>(work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
  const controller = new AbortController();
  const stop = (): void => {
    forget();
    controller.abort(new Interrupted('Stopped.'));
  };
  const forget = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    forget();
  }
}
