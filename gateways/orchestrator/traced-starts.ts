import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Tracing } from '../../platform/tracing.ts';
import { withCarrier } from '../../workflows/contracts/trace-header.ts';

/** Names the trace in which a workflow is started or signalled, so that its activities are spans of it. */
export const tracedStarts = (tracing: Tracing): WorkflowClientInterceptor => ({
  startWithDetails: (input, next) => next({ ...input, headers: withCarrier(input.headers, tracing.carrier()) }),
  signalWithStart: (input, next) => next({ ...input, headers: withCarrier(input.headers, tracing.carrier()) }),
});
