import { randomUUID } from 'node:crypto';
import {
  accountId,
  endpointId,
  type AccountId,
  type DeliveryId,
  type EndpointId,
  type RecoveryId,
} from '../../../core/ids.ts';
import type { Scope } from '../../../core/scope.ts';
import type { Recovery } from '../../../core/webhooks/recovery.ts';
import type { AttemptOutcome, WebhookSender } from '../../../gateways/webhook-sender/port.ts';
import type { WebhookChange } from '../../../schemas/webhooks/webhook-endpoint.ts';
import { createEncryption } from '../../../security/encryption.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import type { Delivery } from '../../../store/deliveries/deliveries.ts';
import { recordEvents } from '../../../store/events/event-log.ts';
import type { WebhookEndpointRow } from '../../../store/webhooks/webhook-endpoints.ts';
import { attemptDelivery } from '../../../usecases/deliveries/attempt-delivery.ts';
import { bindDeliveries } from '../../../usecases/deliveries/bind-deliveries.ts';
import { startOf, sweepDeliveries } from '../../../usecases/deliveries/start-delivery.ts';
import { planDeliveries } from '../../../usecases/events/plan-deliveries.ts';
import { bindRecoveries } from '../../../usecases/recoveries/bind-recoveries.ts';
import type { RecoveryView } from '../../../usecases/recoveries/own-recoveries.ts';
import { recoverTarget } from '../../../usecases/recoveries/recover-target.ts';
import { sendMissed } from '../../../usecases/recoveries/send-missed.ts';
import { startOfRecovery, sweepRecoveries } from '../../../usecases/recoveries/sweep-recoveries.ts';
import { changeWebhook } from '../../../usecases/webhooks/manage-webhooks.ts';
import { createWebhook } from '../../../usecases/webhooks/register-webhook.ts';
import type { MadeDelivery } from '../../../usecases/webhooks/webhook-deliveries.ts';
import { redeliver } from '../../../usecases/webhooks/redeliver.ts';
import { sendTestEvent } from '../../../usecases/webhooks/send-test-event.ts';
import { aDueEvent } from '../../support/stored-events.ts';
import { ok } from './delivery-life.ts';
import { createPlayedEngine, type PlayedClock, type PlayedEngine, type Steps } from './played-engine.ts';
import { createLogger } from '../../../platform/logger.ts';

type Deliveries = ReturnType<typeof bindDeliveries>;

/** Where a process differs from a sound one. */
export interface Difference {
  readonly deliveries?: (sound: Deliveries) => Partial<Deliveries>;
  /** Runs at each transaction of its own: see {@link tapped}. */
  readonly tap?: Tap;
  /** Instead of the pause between two events of a recovery. */
  readonly pause?: () => Promise<void>;
  readonly newId?: () => string;
}

/** The use cases of one process. */
export interface RecoveryProcess extends Steps {
  change(change: WebhookChange): Promise<unknown>;
  recover(since?: Date): Promise<RecoveryView>;
  redeliver(id: string): Promise<MadeDelivery>;
  sendTest(): Promise<MadeDelivery>;
}

/** A request that the receiver got, and what it answered. */
export interface Arrival {
  readonly name: string;
  readonly account: Readonly<Record<string, unknown>>;
  readonly succeeded: boolean;
  readonly at: number;
}

/** One account with one endpoint, a receiver, an engine and a clock. */
export interface RecoveryLife {
  readonly store: StoreConnection;
  readonly account: AccountId;
  readonly scope: Scope;
  readonly endpoint: EndpointId;
  readonly clock: PlayedClock;
  readonly engine: PlayedEngine;
  readonly arrived: Arrival[];
  /** What the receiver answers to an event of this name. */
  answer: (name: string) => AttemptOutcome | Promise<AttemptOutcome>;
  /** Names of what got through, in order. */
  got(): string[];
  process(difference?: Difference): RecoveryProcess;
  /** Stores one event for each name, each in a transaction of its own, and starts its deliveries. Accepted now, unless said otherwise. */
  happen(names: readonly string[], about?: AccountId, acceptedAt?: Date): Promise<void>;
  pass(ms: number, steps?: () => Steps): Promise<void>;
  row(): Promise<WebhookEndpointRow>;
  deliveries(filter?: object): Promise<Delivery[]>;
  recoveries(): Promise<Recovery[]>;
  /** Takes what it has away, so that the sweeps of the next life don't find it. */
  close(): Promise<void>;
}

export const answered = (httpStatus: number): AttemptOutcome => ({
  ...{ kind: 'failed', gone: httpStatus === 410, httpStatus, error: `HTTP ${httpStatus}`, durationMs: 3 },
  responseStart: '',
});

export const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(3, '0')}`);

const encryption = createEncryption([{ id: 'test', secret: Buffer.alloc(32, 7).toString('base64') }]);

export interface LifeWish {
  readonly autoRecover?: boolean;
  readonly scope?: 'self' | 'members';
  readonly isCrash?: (error: unknown) => boolean;
  /** By how much the clock moves at each look. */
  readonly tickMs?: number;
}

export async function startRecoveryLife(store: StoreConnection, wish: LifeWish = {}): Promise<RecoveryLife> {
  const account = accountId(randomUUID());
  const scope: Scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } };
  const clock: PlayedClock = { ms: Date.parse('2026-11-21T12:00:00Z') };
  const now = (): Date => new Date((clock.ms += wish.tickMs ?? 0));
  const engine = createPlayedEngine(store, clock, wish.isCrash);
  const rows = <Row extends object>(name: string, filter: object = {}): Promise<Row[]> =>
    store.connection
      .collection(name)
      .find<Row>({ accountId: account, ...filter })
      .sort({ createdAt: 1, eventNumber: 1, ordinal: 1, _id: 1 })
      .toArray();
  const context = {
    ...{ store, encryption, addressPolicy: { allowPrivateNetworks: false }, now, newId: randomUUID },
    confirmCredential: () => Promise.resolve(),
    hints: {
      startDelivery: (delivery: Delivery) => {
        engine.orchestrator.startDelivery(startOf(delivery)).catch(() => undefined);
      },
      startRecovery: (recovery: Recovery) => {
        engine.orchestrator.startRecovery(startOfRecovery(recovery)).catch(() => undefined);
      },
      startBulkSync: () => undefined,
      nudgeItem: () => undefined,
    },
  };
  const { id } = await createWebhook(context, scope, {
    url: 'https://erp.example/hooks',
    eventTypes: [],
    autoRecover: wish.autoRecover ?? false,
  });
  const endpoint = endpointId(id);
  const byId = { _id: endpoint as never };
  // It was registered in the time of the life, not in the database's.
  const registered = { createdAt: new Date(clock.ms), scope: wish.scope ?? 'self' };
  await store.connection.collection('webhook_endpoints').updateOne(byId, { $set: registered });
  const sender: WebhookSender = {
    send: async (attempt) => {
      const { data } = JSON.parse(attempt.body.toString('utf8')) as {
        data: { externalId: string; account: Record<string, unknown> };
      };
      const outcome = await life.answer(data.externalId);
      const succeeded = outcome.kind === 'succeeded';
      life.arrived.push({ name: data.externalId, account: data.account, succeeded, at: clock.ms });
      return outcome;
    },
  };
  const life: RecoveryLife = {
    ...{ store, account, scope, endpoint, clock, engine, arrived: [] },
    answer: () => ok,
    got: () => life.arrived.filter(({ succeeded }) => succeeded).map(({ name }) => name),
    process: (difference = {}) => startProcess({ life, context, sender }, difference),
    happen: async (events, about = account, acceptedAt = now()) => {
      for (const name of events) {
        const at = now();
        const due = aDueEvent(about, name);
        const made = await recordEvents(store, about, {
          events: [{ ...due, entry: { ...due.entry, acceptedAt } }],
          planDeliveries: (...planned) => planDeliveries(...planned, at),
          now: at,
        });
        for (const delivery of made) if (delivery.state === 'pending') context.hints.startDelivery(delivery);
      }
    },
    pass: (ms, steps) => {
      const process = life.process();
      return engine.pass(ms, steps ?? (() => process));
    },
    row: async () => {
      const [row] = await rows<WebhookEndpointRow>('webhook_endpoints');
      if (row === undefined) throw new Error('the endpoint is gone');
      return row;
    },
    deliveries: (filter) => rows<Delivery>('deliveries', filter),
    recoveries: () => rows<Recovery>('webhook_recoveries'),
    close: async () => {
      for (const name of ['deliveries', 'webhook_recoveries', 'webhook_endpoints'])
        await store.connection.collection(name).deleteMany({ accountId: account });
    },
  };
  return life;
}

interface Surroundings {
  readonly life: RecoveryLife;
  readonly context: Parameters<typeof createWebhook>[0] & Parameters<typeof recoverTarget>[0];
  readonly sender: WebhookSender;
}

function startProcess({ life, context: sound, sender }: Surroundings, difference: Difference): RecoveryProcess {
  const { engine, scope, endpoint, clock } = life;
  const { now } = sound;
  const store = difference.tap === undefined ? sound.store : tapped(sound.store, difference.tap);
  const context = { ...sound, store, newId: difference.newId ?? sound.newId };
  // Which places there are is another matter: everything here has one.
  const tryBegin: Deliveries['health']['tryBegin'] = () => ({ kind: 'begun', end: () => undefined });
  const known = bindDeliveries({ store, encryption, sender, logger: createLogger('test', 'fatal'), now });
  const bound = { ...known, health: { ...known.health, tryBegin } };
  const deliveries = { ...bound, ...difference.deliveries?.(bound) };
  const pause = async (ms: number): Promise<void> => {
    clock.ms += ms;
    await difference.pause?.();
  };
  const recoveries = { ...bindRecoveries(store, deliveries, now), pause };
  return {
    attempt: (id) => attemptDelivery(deliveries, id),
    sendMissed: (id) => sendMissed(recoveries, id),
    sweep: async () => {
      await sweepRecoveries({ store, orchestrator: engine.orchestrator, now });
      const lane = { offer: () => 'no' as const, isFull: false };
      await sweepDeliveries({ deliveries: deliveries.deliveries, orchestrator: engine.orchestrator, lane, now });
    },
    change: (change) => changeWebhook(context, scope, { endpointId: endpoint, change }),
    recover: (since = new Date(clock.ms - 24 * 3_600_000)) =>
      recoverTarget(context, scope, { endpointId: endpoint, since }),
    redeliver: (id) => redeliver(context, scope, id),
    sendTest: () => sendTestEvent(context, scope, { endpointId: endpoint, eventType: undefined }),
  };
}

/** `before` anything of a transaction, at its `commit`, and `after` it: whatever it throws there, the process does not get beyond. */
export type Tap = (at: 'before' | 'commit' | 'after') => Promise<void> | void;

/** The same database for a process that can be stopped at its transactions. What it throws at `commit` undoes the transaction. */
export function tapped(store: StoreConnection, tap: Tap): StoreConnection {
  const startSession: typeof store.connection.startSession = async (...given) => {
    const session = await store.connection.startSession(...given);
    const withTransaction = session.withTransaction.bind(session);
    session.withTransaction = async (work, options) => {
      await tap('before');
      const result = await withTransaction(async (own) => {
        const made = await work(own);
        await tap('commit');
        return made;
      }, options);
      await tap('after');
      return result;
    };
    return session;
  };
  const connection = new Proxy(store.connection, {
    get: (target, key) => {
      if (key === 'startSession') return startSession;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...store, connection };
}

/** The first delivery of an event, by the item's name. */
export async function firstOf(life: RecoveryLife, name: string): Promise<DeliveryId> {
  const [first] = await life.deliveries({ externalId: name, ordinal: 1 });
  if (first === undefined) throw new Error(`no event of ${name}`);
  return first._id;
}

export const idOfRun = async (life: RecoveryLife): Promise<RecoveryId> => {
  const run = (await life.recoveries()).at(-1) as unknown as { _id: RecoveryId } | undefined;
  if (run === undefined) throw new Error('no recovery');
  return run._id;
};

/** Links an account to the life's one as its member. */
export async function addMember(life: RecoveryLife, reference: string): Promise<AccountId> {
  const member = accountId(randomUUID());
  const at = new Date(life.clock.ms);
  const row = { resellerAccountId: life.account, memberAccountId: member, externalId: reference };
  await life.store.connection
    .collection<{ _id: string }>('member_connections')
    .insertOne({ _id: randomUUID(), ...row, createdAt: at, updatedAt: at } as { _id: string });
  return member;
}

export const removeMember = (life: RecoveryLife, member: AccountId): Promise<unknown> =>
  life.store.connection.collection('member_connections').deleteOne({ memberAccountId: member });
