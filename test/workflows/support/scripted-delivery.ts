import { randomUUID } from 'node:crypto';
import { createDeliveryActivities, type DeliveryActivities } from '../../../activities/activities.ts';
import { accountId, endpointId, eventId, type DeliveryId } from '../../../features/rules/ids.ts';
import { secretContexts } from '../../../features/rules/secret-contexts.ts';
import { deliveryIdOf } from '../../../features/webhooks/rules/delivery.ts';
import { createTemporalOrchestrator } from '../../../gateways/orchestrator/temporal-orchestrator.ts';
import type { AttemptOutcome } from '../../../gateways/webhook-sender/port.ts';
import { createEncryption } from '../../../platform/security/encryption.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import {
  insertDeliveries,
  newDelivery,
  type Delivery,
  type DeliveryKey,
} from '../../../features/webhooks/store/deliveries.ts';
import { ReceiverSlots } from '../../../features/webhooks/receiver-slots.ts';
import { Outcomes } from '../../../features/webhooks/record-outcome.ts';
import { deliveryWorkflowId } from '../../../workflows/contracts/workflows.ts';
import { aroundStore } from '../../support/around-store.ts';
import { inTurn, presentCall, soon, type Answer, type Call } from './calls.ts';
import type { TimeSkipping } from './time-skipping.ts';
import { present } from '../../support/clock.ts';

export interface DeliveryScript {
  /** What the receiver answers to one attempt after the other. */
  readonly answers: readonly Answer<AttemptOutcome>[];
  /** 'gone': the endpoint was deleted. */
  readonly endpoint?: 'active' | 'disabled' | 'gone';
  /** Called before the row is read, or an outcome is written: throws as the database does. */
  readonly beforeFind?: () => Promise<void>;
  readonly beforeRecord?: () => Promise<void>;
}

export interface ScriptedDelivery {
  readonly workflowId: string;
  /** Calls of the workflow, oldest first. */
  readonly calls: readonly Call[];
  /** Server time of each request that the receiver got. */
  readonly sentAt: readonly number[];
  /** The delivery log: number and outcome of each attempt. */
  log(): Promise<[attempt: number, status: string][]>;
  state(): Promise<string | undefined>;
  /** As a relay does it. */
  start(): Promise<void>;
  /** Skips time until the workflow has ended. */
  ended(): Promise<void>;
}

export const accepted: AttemptOutcome = { kind: 'succeeded', httpStatus: 200, durationMs: 5, responseStart: '' };
export const refused = (httpStatus = 503): AttemptOutcome => ({
  kind: 'failed',
  gone: httpStatus === 410,
  httpStatus,
  error: `HTTP ${httpStatus}`,
  durationMs: 5,
  responseStart: '',
});

const encryption = createEncryption([{ id: 'test', secret: Buffer.alloc(32, 7).toString('base64') }]);
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined };

interface Running {
  readonly activities: DeliveryActivities;
  readonly calls: Call[];
  /** Sets the clock of the attempts by the server's. */
  tick(): Promise<void>;
}

/** Deliveries whose attempts are the real ones, on the server's skipped time. */
export function createDeliveryScripts(store: StoreConnection): {
  readonly activities: object;
  delivery(world: TimeSkipping, script: DeliveryScript): Promise<ScriptedDelivery>;
} {
  const all = new Map<string, Running>();
  const runningOf = (id: DeliveryId): Running => {
    const running = all.get(id);
    if (running === undefined) throw new Error(`no test knows the delivery ${id}`);
    return running;
  };
  return {
    activities: {
      attemptDelivery: async (delivery: DeliveryKey, attempt: number) => {
        const running = runningOf(delivery._id);
        running.calls.push(presentCall(delivery._id));
        await running.tick();
        return running.activities.attemptDelivery(delivery, attempt);
      },
      countFailure: (delivery: DeliveryKey) => runningOf(delivery._id).activities.countFailure(delivery),
    },
    delivery: async (world, script) => {
      const delivery = await storeDelivery(store, script);
      const clock = { ms: 0 };
      const sentAt: number[] = [];
      const tick = async (): Promise<void> => {
        clock.ms = await world.now();
        await script.beforeFind?.();
      };
      const activities = attemptsOn(store, script, { clock, sentAt });
      const running: Running = { activities, calls: [], tick };
      all.set(delivery._id, running);
      return scriptedDelivery({ world, store, delivery, calls: running.calls, sentAt });
    },
  };
}

function attemptsOn(
  store: StoreConnection,
  script: DeliveryScript,
  { clock, sentAt }: { clock: { readonly ms: number }; sentAt: number[] },
): DeliveryActivities {
  const answer = inTurn(...script.answers);
  const own = aroundStore(store, async (step, take) => {
    if (step === 'insertMany delivery_attempts') await script.beforeRecord?.();
    return take();
  });
  const starts = { deliverySoon: () => undefined, receiverSoon: () => undefined, wakeReceiver: () => undefined };
  const parts = { store: own, starts, logger, now: () => new Date(clock.ms) };
  return createDeliveryActivities({
    ...parts,
    encryption,
    slots: new ReceiverSlots(),
    outcomes: new Outcomes(parts),
    sender: {
      send: (attempt) => {
        sentAt.push(clock.ms);
        return answer(attempt);
      },
    },
  });
}

/** A delivery to an endpoint of an account of its own, as a person asked for it: no attempt was made. */
async function storeDelivery(store: StoreConnection, { endpoint = 'active' }: DeliveryScript): Promise<Delivery> {
  const [account, target, event] = [accountId(randomUUID()), endpointId(randomUUID()), eventId(`evt_${randomUUID()}`)];
  if (endpoint !== 'gone')
    await store.connection.collection<{ _id: string } & Record<string, unknown>>('webhook_endpoints').insertOne({
      _id: target,
      accountId: account,
      url: `https://${target}.test/hooks`,
      scope: 'self',
      autoRecover: false,
      eventTypes: [],
      active: endpoint === 'active',
      failCount: 0,
      createdAt: new Date(0),
      secretEncrypted: encryption.encrypt('whsec_MDEyMzQ1Njc4OTAxMjM0NQ==', secretContexts.webhookEndpoint(target)),
    });
  const delivery = newDelivery({
    _id: deliveryIdOf({ eventId: event, target, ordinal: 1 }),
    accountId: account,
    aboutAccountId: account,
    eventId: event,
    eventType: 'item.created',
    externalId: 'A1',
    endpointId: target,
    target,
    scope: 'self',
    purpose: 'event',
    sequence: 1,
    state: 'pending',
    missed: false,
    waits: false,
    startAt: new Date(0),
    body: Buffer.from('{}'),
    eventAt: new Date(0),
    createdAt: present(),
  });
  await inTransaction(store, (session) => insertDeliveries(store, [delivery], session));
  return delivery;
}

function scriptedDelivery({
  world: { client, taskQueue },
  store,
  delivery: { _id: id, accountId: owner, externalId, eventType, target },
  ...seen
}: {
  readonly world: TimeSkipping;
  readonly store: StoreConnection;
  readonly delivery: Delivery;
} & Pick<ScriptedDelivery, 'calls' | 'sentAt'>): ScriptedDelivery {
  const workflowId = deliveryWorkflowId(id);
  const orchestrator = createTemporalOrchestrator(client, taskQueue);
  const rows = <Row extends object>(name: string, filter: object): Promise<Row[]> =>
    store.connection.collection(name).find<Row>(filter).sort({ _id: 1 }).toArray();
  return {
    ...seen,
    workflowId,
    log: async () =>
      (await rows<{ attempt: number; status: string }>('delivery_attempts', { deliveryId: id })).map(
        ({ attempt, status }) => [attempt, status],
      ),
    state: async () => (await rows<{ state: string }>('deliveries', { _id: id }))[0]?.state,
    start: () =>
      orchestrator.startDelivery({
        deliveryId: id,
        ownerId: owner,
        accountId: owner,
        externalId,
        eventType,
        target,
        attempt: 1,
      }),
    ended: async () => {
      await soon('the end of the workflow', client.workflow.getHandle(workflowId).result());
    },
  };
}
