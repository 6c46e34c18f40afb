import { Context } from '@temporalio/activity';

const everyMs = 2_000;

/** Heartbeats while `work` runs, so that a dead process is noticed within seconds however long a single call may take. */
export async function withHeartbeat<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
