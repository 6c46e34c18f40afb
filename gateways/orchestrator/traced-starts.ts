import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Tracing } from '../../platform/tracing.ts';
import { withCarrier } from '../../workflows/contracts/trace-header.ts';

/** Passes the trace to each started or signalled workflow, so that its activities are spans of the trace. */
export const tracedStarts = (tracing: Tracing): WorkflowClientInterceptor => ({
  startWithDetails: (input, next) => next({ ...input, headers: withCarrier(input.headers, tracing.carrier()) }),
  signalWithStart: (input, next) => next({ ...input, headers: withCarrier(input.headers, tracing.carrier()) }),
});
