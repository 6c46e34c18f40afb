import { Context } from '@temporalio/activity';

const everyMs = 2_000;

/** Sends heartbeats while `work` runs, so that a dead worker is noticed within seconds even during a long call. */
export async function withHeartbeat<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
