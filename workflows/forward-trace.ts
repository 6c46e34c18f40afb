import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { traceOf } from './contracts/trace-header.ts';

/**
 * Part of every workflow bundle: passes the trace of the last start or signal to the workflow's activities. It creates
 * no spans and reads no clock, and a replay does not compare headers.
 */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers = {};
  const learn = (headers: Headers): void => {
    const named = traceOf(headers);
    if (Object.keys(named).length > 0) trace = named;
  };
  const withTrace = <Input extends { readonly headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...trace },
  });
  return {
    inbound: [
      {
        execute: (input, next) => {
          learn(input.headers);
          return next(input);
        },
        handleSignal: (input, next) => {
          learn(input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
      },
    ],
  };
}
