import type { ClientOptions } from '@temporalio/client';
import { tracedStarts } from '../gateways/orchestrator/traced-starts.ts';
import type { Tracing } from '../platform/tracing.ts';

/** What a client of the durable engine needs besides its connection so that traces go on through it. */
export const tracedClient = (tracing: Tracing | undefined): Pick<ClientOptions, 'interceptors'> =>
  tracing === undefined ? {} : { interceptors: { workflow: [tracedStarts(tracing)] } };
