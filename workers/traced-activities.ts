import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Tracing } from '../platform/tracing.ts';
import { carrierIn } from '../workflows/contracts/trace-header.ts';

/** Every try of an activity is a span of the trace that its workflow was started or nudged in. */
export const tracedActivities =
  (tracing: Tracing): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: (input, next) => {
        const attributes = {
          'temporal.workflow.type': info.workflowType ?? '',
          'temporal.workflow.id': info.workflowExecution?.workflowId ?? '',
          'temporal.activity.attempt': info.attempt,
        };
        const span = {
          name: info.activityType,
          kind: 'internal',
          parent: carrierIn(input.headers),
          attributes,
        } as const;
        return tracing.span(span, () => next(input));
      },
    },
  });
