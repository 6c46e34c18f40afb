import { randomUUID } from 'node:crypto';
import { accountId, deliveryId, endpointId, eventId, type DeliveryId } from '../../../core/ids.ts';
import { createDeliveryActivities, type DeliveryActivities } from '../../../activities/delivery-activities.ts';
import { createTemporalOrchestrator } from '../../../gateways/orchestrator/temporal-orchestrator.ts';
import type { AttemptOutcome } from '../../../gateways/webhook-sender/port.ts';
import {
  newDelivery,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryStore,
} from '../../../store/deliveries/deliveries.ts';
import { deliveryWorkflowId } from '../../../workflows/contracts/deliveries.ts';
import { inTurn, presentCall, soon, type Answer, type Call } from './calls.ts';
import { detailsOf } from './scripted-item.ts';
import type { TimeSkipping } from './time-skipping.ts';

export interface DeliveryScript {
  /** What the receiver answers to one attempt after the other. */
  readonly answers: readonly Answer<AttemptOutcome>[];
  /** 'gone': the endpoint was deleted. */
  readonly endpoint?: 'active' | 'disabled' | 'gone';
  /** Called before the record is read, or an outcome is written: throws as the database does. */
  readonly beforeFind?: () => Promise<void>;
  readonly beforeComplete?: () => Promise<void>;
}

export interface ScriptedDelivery {
  readonly workflowId: string;
  /** Calls of the workflow, oldest first. */
  readonly calls: readonly Call[];
  /** Server time of each request that the receiver got. */
  readonly sentAt: readonly number[];
  /** The delivery log: number and outcome of each attempt. */
  log(): [attempt: number, status: string][];
  state(): string;
  /** As the relay and the sweep do it. */
  start(): Promise<void>;
  /** Skips time until the workflow has ended. */
  ended(): Promise<void>;
  details(): Promise<string>;
}

export const accepted: AttemptOutcome = { kind: 'succeeded', httpStatus: 200, durationMs: 5, responseStart: '' };
export const refused = (httpStatus = 503): AttemptOutcome => ({
  ...{ kind: 'failed', gone: httpStatus === 410, httpStatus, error: `HTTP ${httpStatus}`, durationMs: 5 },
  responseStart: '',
});

interface Running {
  readonly activities: DeliveryActivities;
  readonly calls: Call[];
  /** Sets the clock of the attempts by the server's. */
  tick(): Promise<void>;
}

/** Deliveries whose attempts are the real ones, on a record in memory and on the server's skipped time. */
export function createDeliveryScripts(): {
  readonly activities: object;
  delivery(world: TimeSkipping, script: DeliveryScript): ScriptedDelivery;
} {
  const all = new Map<string, Running>();
  const activity = (name: keyof DeliveryActivities) => async (id: DeliveryId) => {
    const running = all.get(id);
    if (running === undefined) throw new Error(`no test knows the delivery ${id}`);
    running.calls.push(presentCall(id));
    await running.tick();
    return running.activities[name](id);
  };
  return {
    activities: { attemptDelivery: activity('attemptDelivery') },
    delivery: (world, script) => {
      const record = createRecord(script);
      const clock = { ms: 0 };
      const tick = async (): Promise<void> => {
        clock.ms = await world.now();
      };
      const activities = attemptsOn(record, script, () => clock.ms);
      const running: Running = { activities, calls: [], tick };
      all.set(record.id, running);
      return scriptedDelivery(world, record, running);
    },
  };
}

type DeliveryRecord = ReturnType<typeof createRecord>;

function attemptsOn(record: DeliveryRecord, script: DeliveryScript, clockMs: () => number): DeliveryActivities {
  const answer = inTurn(...script.answers);
  const now = (): Date => new Date(clockMs());
  const endpoint = script.endpoint ?? 'active';
  const destination = {
    url: 'https://receiver.test',
    secretEncrypted: '',
    active: endpoint === 'active',
    scope: 'self' as const,
    autoRecover: false,
  };
  const nothing = () => (): Promise<void> => Promise.resolve();
  return createDeliveryActivities({
    deliveries: record.store,
    findDestination: () => Promise.resolve(endpoint === 'gone' ? null : destination),
    presentBody: (delivery) => Promise.resolve(delivery.body),
    sign: () => ({}),
    sender: {
      send: (attempt) => {
        record.sentAt.push(clockMs());
        return answer(attempt);
      },
    },
    health: {
      tryBegin: () => ({ kind: 'begun', end: () => undefined }),
    },
    changeEndpoint: nothing,
    tell: () => undefined,
    now,
  });
}

/** One delivery with the guarantees of store/deliveries/deliveries.ts: reserve and complete count only for what was read. */
function createRecord(script: DeliveryScript) {
  const id = deliveryId(`dlv_${randomUUID()}`);
  let row = aDelivery(id);
  const log: DeliveryAttempt[] = [];
  const isAsRead = (read: Delivery): boolean => row.state === 'pending' && row.attempts === read.attempts;
  const store: DeliveryStore = {
    findPending: async () => {
      await script.beforeFind?.();
      return row.state === 'pending' ? row : null;
    },
    findLogged: ({ attempts }) => Promise.resolve(log.find(({ attempt }) => attempt === attempts) ?? null),
    reserve: async (read, now) => {
      if (!isAsRead(read) || row.inFlightSince !== null) return false;
      row = { ...row, attempts: row.attempts + 1, inFlightSince: now };
      return true;
    },
    complete: async (read, { attempt, state, retryAt, nextAttemptAt }) => {
      await script.beforeComplete?.();
      if (!isAsRead(read)) return;
      log.push(attempt);
      row = { ...row, state, retryAt, nextAttemptAt, inFlightSince: null };
    },
    close: async (read, { state }) => {
      if (isAsRead(read)) row = { ...row, state };
    },
    claimDue: () => Promise.resolve([]),
    releaseClaims: () => Promise.resolve(),
  };
  return { id, store, log, sentAt: [] as number[], state: () => row.state };
}

const aDelivery = (id: DeliveryId): Delivery =>
  newDelivery({
    _id: id,
    ...{ accountId: accountId(randomUUID()), aboutAccountId: accountId(randomUUID()) },
    ...{ eventId: eventId('evt_1'), eventType: 'item.created', externalId: 'A1', eventNumber: 1 },
    ...{ endpointId: endpointId(randomUUID()), target: 'e1', scope: 'self', purpose: 'event' },
    ...{ state: 'pending', missed: false, nextAttemptAt: null },
    body: Buffer.from('{}'),
    ...{ eventAt: new Date(0), createdAt: new Date(0) },
  });

function scriptedDelivery(
  { client, taskQueue }: TimeSkipping,
  record: DeliveryRecord,
  running: Running,
): ScriptedDelivery {
  const workflowId = deliveryWorkflowId(record.id);
  const orchestrator = createTemporalOrchestrator(client, taskQueue);
  const { accountId: owner, externalId, eventType } = aDelivery(record.id);
  return {
    workflowId,
    calls: running.calls,
    sentAt: record.sentAt,
    log: () => record.log.map(({ attempt, status }) => [attempt, status]),
    state: record.state,
    start: () =>
      orchestrator.startDelivery({ deliveryId: record.id, accountId: owner, externalId, eventType, target: 'e1' }),
    ended: async () => {
      await soon('the end of the workflow', client.workflow.getHandle(workflowId).result());
    },
    details: () => detailsOf(client, workflowId),
  };
}
