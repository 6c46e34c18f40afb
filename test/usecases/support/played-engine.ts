import { OrchestratorUnavailable, type Orchestrator } from '../../../gateways/orchestrator/port.ts';
import type { DeliveryId, RecoveryId } from '../../../core/ids.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import type { DeliveryStep } from '../../../usecases/deliveries/prepare-attempt.ts';
import type { RecoveryStep } from '../../../usecases/recoveries/send-missed.ts';

/** What the workflows call: the use cases of whichever process takes the call. */
export interface Steps {
  attempt(id: DeliveryId): Promise<DeliveryStep>;
  sendMissed(id: RecoveryId): Promise<RecoveryStep>;
  sweep(): Promise<unknown>;
}

/** The time of a test: it stands still unless it is moved. */
export interface PlayedClock {
  ms: number;
}

/** The durable engine and the sweep's loop, on a played clock: workflows/webhooks as they are, with timers that take no time. */
export interface PlayedEngine {
  readonly orchestrator: Pick<Orchestrator, 'startDelivery' | 'startRecovery'>;
  /** While it is away, starts fail and nothing runs. */
  isAway: boolean;
  /** Has the next sweep come at once, as the doorbell does. */
  hurry(): void;
  /** Lets so much time pass: whatever is due in it happens at its time. `steps` is asked anew for each call. */
  pass(ms: number, steps: () => Steps): Promise<void>;
}

interface Workflow {
  dueAt: number;
  /** Its next call; how long it waits after that, or null when it has ended. */
  next(steps: Steps): Promise<number | null>;
}

/** A call whose process died is given to another one after its time-out. */
const lostCallMs = 40_000;
const betweenSweepsMs = 2_000;
/** While the engine is away, little can be done: an hour of looks every two seconds would take minutes. */
const betweenSweepsAwayMs = 30_000;
const busyPauseMs = 2_000;

export function createPlayedEngine(
  store: StoreConnection,
  clock: PlayedClock,
  isCrash: (error: unknown) => boolean = () => false,
): PlayedEngine {
  const workflows = new Map<string, Workflow>();
  let sweptAt = 0;
  const start = (id: string, next: Workflow['next'], delayMs = 0): Promise<void> => {
    if (engine.isAway) return Promise.reject(new OrchestratorUnavailable('connection refused'));
    if (!workflows.has(id)) workflows.set(id, { dueAt: clock.ms + delayMs, next });
    return Promise.resolve();
  };

  const run = async (id: string, workflow: Workflow, steps: Steps): Promise<void> => {
    try {
      const waitMs = await workflow.next(steps);
      if (waitMs === null) workflows.delete(id);
      else workflow.dueAt = clock.ms + waitMs;
    } catch (error) {
      if (!isCrash(error)) throw error;
      workflow.dueAt = clock.ms + lostCallMs;
    }
  };

  const sweep = async (steps: Steps): Promise<void> => {
    sweptAt = clock.ms;
    await steps.sweep().catch((error: unknown) => {
      if (!isCrash(error)) throw error;
    });
  };

  const engine: PlayedEngine = {
    orchestrator: {
      startDelivery: ({ deliveryId, delayMs }) => start(deliveryId, aDeliveryRun(deliveryId), delayMs),
      startRecovery: ({ recoveryId }) => start(recoveryId, aRecoveryRun(recoveryId)),
    },
    isAway: false,
    hurry: () => {
      sweptAt = 0;
    },
    pass: async (ms, steps) => {
      const until = clock.ms + ms;
      for (;;) {
        const [due] = engine.isAway ? [] : [...workflows].sort(([, a], [, b]) => a.dueAt - b.dueAt);
        const sweepAt = Math.max(
          (await firstDue(store)) ?? Infinity,
          sweptAt + (engine.isAway ? betweenSweepsAwayMs : betweenSweepsMs),
        );
        const nextAt = Math.min(due?.[1].dueAt ?? Infinity, sweepAt);
        if (nextAt > until) break;
        clock.ms = Math.max(clock.ms, nextAt);
        if (due !== undefined && due[1].dueAt <= sweepAt) await run(due[0], due[1], steps());
        else await sweep(steps());
      }
      clock.ms = Math.max(clock.ms, until);
    },
  };
  return engine;
}

const aDeliveryRun =
  (id: DeliveryId): Workflow['next'] =>
  async (steps) =>
    pauseAfter(await steps.attempt(id));

const pauseAfter = (step: DeliveryStep): number | null => (step.kind === 'closed' ? null : step.forMs);

function aRecoveryRun(id: RecoveryId): Workflow['next'] {
  let followed: DeliveryId | null = null;
  return async (steps) => {
    if (followed !== null) {
      const waitMs = pauseAfter(await steps.attempt(followed));
      if (waitMs === null) followed = null;
      return waitMs ?? 0;
    }
    const step = await steps.sendMissed(id);
    if (step.kind === 'ended') return null;
    if (step.kind === 'busy') return busyPauseMs;
    if (step.kind === 'more') return 0;
    followed = step.deliveryId;
    return 0;
  };
}

/** When a sweep would first find something to do, in ms; null while nothing is planned. */
async function firstDue({ connection }: StoreConnection): Promise<number | null> {
  const first = async (collection: string, field: string): Promise<number> => {
    const filter =
      collection === 'webhook_endpoints' ? {} : { state: collection === 'deliveries' ? 'pending' : 'running' };
    const row = await connection
      .collection(collection)
      .find({ ...filter, [field]: { $type: 'date' } })
      .sort({ [field]: 1 })
      .limit(1)
      .next();
    const at: unknown = field.split('.').reduce<unknown>((of, name) => (of as Record<string, unknown>)?.[name], row);
    return at instanceof Date ? at.getTime() : Infinity;
  };
  const all = await Promise.all([
    first('deliveries', 'due.at'),
    first('webhook_recoveries', 'due.at'),
    first('webhook_endpoints', 'recoverAt'),
  ]);
  const at = Math.min(...all);
  return at === Infinity ? null : at;
}
