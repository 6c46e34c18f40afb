import { Client } from '@temporalio/client';
import { WorkflowStarts } from '../dispatch/start-workflows.ts';
import { openClosableConnection } from '../gateways/orchestrator/temporal-connection.ts';
import type { AcceptParts } from '../store/items/accept-writes.ts';
import { composeOrchestrator, type Foundation } from './foundation.ts';
import { tracedClient } from './gateways.ts';

/**
 * Starts the workflows of items that this process has written. The connection opens at the first start; while the engine is away,
 * writes are accepted as always, and a relay starts what was not started.
 */
export function composeStarts(foundation: Foundation) {
  const { config, store, logger, metrics, tracing, now, instead } = foundation;
  const { address, namespace } = config.temporal;
  const connection = openClosableConnection({ address });
  const client = new Client({ connection, namespace, ...tracedClient(tracing) });
  const orchestrator = instead?.orchestrator ?? composeOrchestrator({ ...foundation, client });
  const onLost = (): void => metrics.startsLost.add({});
  const starts = new WorkflowStarts({ store, orchestrator, logger, tracing, onLost, now });
  return {
    start: startOf(starts),
    close: async () => {
      await starts.close();
      await connection.close();
    },
  };
}

/** A hint after the commit of a write: nothing waits for it. */
export const startOf =
  (starts: Pick<WorkflowStarts, 'itemSoon'>): AcceptParts['start'] =>
  ({ id, requestId = null, ...item }) =>
    starts.itemSoon({ ...item, _id: id, requestId });
