// Makes events as writes of items do, and has the worker's whole dispatcher of deliveries, but no items: nothing else is
// measured. One transaction stores what is handed over meanwhile, with its deliveries reserved. Retries are the worker's beside it.
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { loadConfig } from '../../compose/config.ts';
import { composeDispatch } from '../../compose/dispatch.ts';
import { composeOrchestrator, openFoundation } from '../../compose/foundation.ts';
import { accountId, type AccountId } from '../../core/ids.ts';
import { DeliveryQueues } from '../../dispatch/delivery-queues.ts';
import { Dispatcher } from '../../dispatch/dispatcher.ts';
import { WorkflowStarts } from '../../dispatch/start-workflows.ts';
import { Turns } from '../../dispatch/turns.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import { createLogger } from '../../platform/logger.ts';
import { startLoop } from '../../platform/loop.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { insertDeliveries } from '../../store/deliveries/deliveries.ts';
import { insertEvents, type DueEvent } from '../../store/events/events.ts';
import { findTargets } from '../../store/webhooks/webhook-targets.ts';
import { createdItem } from '../support/catalogue.ts';
import { serveMaker } from './serve-maker.ts';

Runtime.install({ logger: new DefaultLogger('WARN') });
const config = loadConfig();
const logger = createLogger('bench', 'warn');
const connection = await NativeConnection.connect({ address: config.temporal.address });
const client = new Client({ connection, namespace: config.temporal.namespace });
const foundation = { ...(await openFoundation({ config, logger })), client };
const { store, now } = foundation;
const ownership = { owns: () => true };
const noItems = new Turns({ atOnce: 1, together: 1, onFailure: () => undefined, work: () => Promise.resolve([]) });

const { sending, beat } = composeDispatch(foundation);
const starts = new WorkflowStarts({ store, orchestrator: composeOrchestrator(foundation), logger, now });
const deliveries = new DeliveryQueues({ ...sending, ...ownership, starts });
const dispatcher = new Dispatcher({
  ...{ store, ownership, deliveries, starts, logger, now, backlog: noItems, mails: noItems },
});
dispatcher.start();
startLoop(() => beat().then(() => false), { name: 'beat', idleMs: 1_000, logger });
startLoop(() => dispatcher.look().then(() => false), { name: 'look', idleMs: 2_000, logger });

const events = new Batcher<DueEvent, DueEvent>({
  ...{ sizeMax: 100, atOnce: 2, begin: 'after this turn' },
  commit: storeTogether,
});

async function storeTogether(due: readonly DueEvent[]): Promise<readonly DueEvent[]> {
  const plan = deliveries.plan();
  try {
    const planned = await inTransaction(store, async (session) => {
      const at = now();
      const numbered = await insertEvents(store, due, { now: at, session });
      const targetsOf = await findTargets(store, [...new Set(due.map((event) => event.accountId))], session);
      const rows = numbered.flatMap((event) => plan.planDeliveries(event, targetsOf(event.accountId), at));
      await insertDeliveries(store, rows, session);
      return rows;
    });
    plan.onStored(planned);
    return due;
  } finally {
    plan.drop();
  }
}

let made = 0;

function itemCreated(account: AccountId): DueEvent {
  made += 1;
  const item = createdItem(account, `delivery-${made}`);
  const [entry] = item.outbox;
  if (entry === undefined) throw new Error('a new item has no event');
  return { entry, accountId: account, itemId: item.id, externalId: item.externalId };
}

serveMaker(async (account, count, tell) => {
  const due = Array.from({ length: count }, () => itemCreated(accountId(account)));
  for (const { entry } of due) tell(entry.eventId);
  await Promise.all(due.map((event) => events.add(event)));
});
