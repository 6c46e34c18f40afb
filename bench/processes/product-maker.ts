// Makes events as a worker does when items settle (one transaction of event and delivery records, then the first attempt's beginning),
// but without the items' workflows, so that nothing but deliveries is measured. Where the first attempt is the lane's, the lane is in
// this process, as it is in the worker's; everything later is the worker's.
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { openFoundation, composeOrchestrator } from '../../compose/foundation.ts';
import { composeSending } from '../../compose/worker-parts.ts';
import { accountId, type AccountId } from '../../core/ids.ts';
import { loadConfig } from '../../compose/config.ts';
import { createLogger } from '../../platform/logger.ts';
import { recordEvents, type PlanDeliveries } from '../../store/events/event-log.ts';
import type { DueEvent } from '../../store/events/events.ts';
import { createEventRecorder } from '../../usecases/events/event-recorder.ts';
import { planDeliveries } from '../../usecases/events/plan-deliveries.ts';
import { createHints } from '../../usecases/hints.ts';
import { createdItem } from '../support/catalogue.ts';
import { serveMaker } from '../support/serve-maker.ts';

Runtime.install({ logger: new DefaultLogger('WARN') });
const config = loadConfig();
const logger = createLogger('bench', 'warn');
const connection = await NativeConnection.connect({ address: config.temporal.address });
const client = new Client({ connection, namespace: config.temporal.namespace });
const foundation = await openFoundation({ config, logger, client });
const { store } = foundation;
const orchestrator = composeOrchestrator(foundation);
const sending = composeSending(foundation, { orchestrator, hints: createHints(logger) });

type EventAndTargets = Parameters<PlanDeliveries>;

const record = createEventRecorder(async (account, events) => {
  const now = new Date();
  const options = { events, now, planDeliveries: (...one: EventAndTargets) => planDeliveries(...one, now) };
  sending.begin(await recordEvents(store, account, options));
});

let made = 0;

function itemCreated(account: AccountId): DueEvent {
  made += 1;
  const item = createdItem(account, `delivery-${made}`);
  const [entry] = item.outbox;
  if (entry === undefined) throw new Error('a new item has no event');
  return { entry, accountId: account, itemId: item.id, externalId: item.externalId };
}

serveMaker(async (account, count, tell) => {
  const owner = accountId(account);
  const events = Array.from({ length: count }, () => itemCreated(owner));
  for (const { entry } of events) tell(entry.eventId);
  await record(owner, events);
});
