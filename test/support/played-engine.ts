import { OrchestratorUnavailable, type Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { DeliveryId } from '../../features/rules/ids.ts';
import { attemptsMax, waitBefore } from '../../features/webhooks/rules/retry-schedule.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { AttemptAnswer } from '../../features/webhooks/attempt-delivery.ts';
import type { ReceiverStep } from '../../features/webhooks/work-receiver.ts';

/** What the workflows call: the use cases of whichever process takes the call. */
export interface Steps {
  attempt(id: DeliveryId, attempt: number): Promise<AttemptAnswer>;
  countFailure(id: DeliveryId): Promise<void>;
  workReceiver(mayEnd: boolean): Promise<ReceiverStep>;
  sweep(): Promise<unknown>;
}

/** The time of a test: it stands still unless it is moved. */
export interface PlayedClock {
  ms: number;
}

/** The durable engine and the relay's loop, on a played clock: workflows/webhooks as they are, with timers that take no time. */
export interface PlayedEngine {
  readonly orchestrator: Pick<Orchestrator, 'startDelivery' | 'startReceiver' | 'signalReceiver'>;
  /** While it is away, starts fail and nothing runs. */
  isAway: boolean;
  /** Has the next sweep come at once. */
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
/** Between two looks at a receiver that waits for something. */
const betweenLooksMs = 500;
const settlesMs = 6_000;

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
      startDelivery: ({ deliveryId, attempt }) =>
        start(deliveryId, aDeliveryRun(deliveryId, attempt), waitBefore(attempt)),
      startReceiver: ({ target }) => start(target, aReceiverRun()),
      signalReceiver: async ({ target }) => {
        // A run that is signalled is as good as a new one: it looks again at once.
        if (!engine.isAway) workflows.delete(target);
        await start(target, aReceiverRun());
      },
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

/** workflows/deliveries/deliver-event.ts */
function aDeliveryRun(id: DeliveryId, first: number): Workflow['next'] {
  let attempt = first;
  return async (steps) => {
    const answer = attempt > attemptsMax ? 'failed' : await steps.attempt(id, attempt);
    if (answer === 'closed') return null;
    if (answer !== 'failed') return answer.againInMs;
    if (attempt < attemptsMax) {
      attempt += 1;
      return waitBefore(attempt);
    }
    // What is made anew after a crash is only the count.
    attempt = attemptsMax + 1;
    await steps.countFailure(id);
    return null;
  };
}

/** workflows/webhooks/receiver.ts */
function aReceiverRun(): Workflow['next'] {
  let mayEnd = false;
  return async (steps) => {
    const step = await steps.workReceiver(mayEnd);
    mayEnd = step.kind === 'quiet';
    if (step.kind === 'ended') return null;
    if (step.kind === 'rests') return step.lookAgainMs;
    return step.kind === 'quiet' ? settlesMs : betweenLooksMs;
  };
}

/** When a sweep would first find something to do, in ms; null while nothing is planned. */
async function firstDue({ connection }: StoreConnection): Promise<number | null> {
  const first = async (collection: string, field: string): Promise<number> => {
    const row = await connection
      .collection(collection)
      .find({ [field]: { $type: 'date' } })
      .sort({ [field]: 1 })
      .limit(1)
      .next();
    const at: unknown = row?.[field];
    return at instanceof Date ? at.getTime() : Infinity;
  };
  const all = await Promise.all([
    first('deliveries', 'startAt'),
    first('webhook_endpoints', 'startAt'),
    first('webhook_endpoints', 'recoverAt'),
  ]);
  const at = Math.min(...all);
  return at === Infinity ? null : at;
}
