import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

/** One call that a worker got, as it saw it. */
export interface Call {
  readonly activity: string;
  /** `local` for one that ran inside the workflow's own worker. */
  readonly queue: string;
  /** The try that the server counts. */
  readonly attempt: number;
  readonly argument: unknown;
}

/** What is being called right now, with the kind of its queue. */
export function presentCall(argument: unknown): Call {
  const { activityType, taskQueue, attempt, isLocal } = Context.current().info;
  const queue = isLocal ? 'local' : taskQueue.slice(taskQueue.lastIndexOf('.') + 1);
  return { activity: activityType, queue, attempt, argument };
}

export type Answer<Result> = Result | Error | ((argument: unknown) => Result | Promise<Result>);

/** Gives one answer a call: a value, an error to throw, or what a function makes of it. One call too many fails the test's workflow. */
export function inTurn<Result>(...answers: readonly Answer<Result>[]): (argument?: unknown) => Promise<Result> {
  const left = [...answers];
  return async (argument) => {
    if (left.length === 0) throw ApplicationFailure.nonRetryable('called once more than the test has answers for');
    const answer = left.shift() as Answer<Result>;
    if (answer instanceof Error) throw answer;
    return answer instanceof Function ? answer(argument) : answer;
  };
}

/** What one call after the other comes to, for what answers nothing. */
export function outcomes(...of: readonly ('done' | Error | (() => Promise<unknown>))[]): () => Promise<void> {
  const next = inTurn<unknown>(...of);
  return async () => {
    await next();
  };
}

/** An answer that is held back: `arrived` resolves when the call has come in, `release` lets it end. */
export function heldBack<Result>(result: Result): {
  readonly answer: () => Promise<Result>;
  readonly arrived: () => Promise<void>;
  readonly release: () => void;
} {
  let arrive = (): void => undefined;
  let release = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = async (): Promise<Result> => {
    arrive();
    await released;
    return result;
  };
  return { answer, arrived: () => soon('the call', arrived), release };
}

const soonMs = 30_000;

/** Rejects when it takes too long: skipped time hides a workflow that hangs, and one hanging test would hide the others. */
export async function soon<Value>(what: string, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${soonMs} ms: ${what}`)), soonMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A failure as a step makes it: somebody outside could not be reached, say. */
export const outOfReach = (message = 'the marketplace is out of reach'): Error => new Error(message);
