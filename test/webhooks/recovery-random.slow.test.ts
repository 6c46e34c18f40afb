import test, { type ExecutionContext, type TryResult } from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { disableAfterFailures } from '../../features/webhooks/rules/disable-after-failures.ts';
import { groupBy } from '../../features/rules/group-by.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Delivery } from '../../features/webhooks/store/deliveries.ts';
import { ok } from '../support/delivery-life.ts';
import { randomFrom } from '../support/random-from.ts';
import {
  answered,
  firstOf,
  startRecoveryLife,
  type Arrival,
  type RecoveryLife,
  type RecoveryProcess,
} from '../support/recovery-life.ts';
import { howToRepeat, randomRuns, randomSeed } from '../support/check-property.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

// Random lives of an endpoint with autoRecover: events, failures, crashes, and what its owner does.

const lives = randomRuns(30);
/** Each has a database of its own, because the sweeps see all that is due. Most of the time is spent on waiting for the disk. */
const lanes = 8;

const [minuteMs, hourMs] = [60_000, 3_600_000];

/** An outcome is written, and no next attempt made, within so long on the played clock. */
const writtenWithinMs = 500;

class Crash extends Error {}

/** The owner's change of `active`, at a time of the played clock. */
interface Switch {
  readonly at: number;
  readonly active: boolean;
}

interface Play {
  readonly life: RecoveryLife;
  readonly random: () => number;
  readonly happened: string[];
  readonly switches: Switch[];
  /** How often somebody asked for an event to be sent again. */
  readonly asked: Map<string, number>;
  /** Events whose outcome may not have been written, because a process died; once for each death. */
  readonly crashedOver: string[];
  crashShare: number;
  readonly process: RecoveryProcess;
}

async function startPlay(store: StoreConnection, playSeed: number): Promise<Play> {
  const random = randomFrom(playSeed);
  const isCrash = (error: unknown): boolean => error instanceof Crash;
  const life = await startRecoveryLife(store, { autoRecover: true, isCrash, tickMs: 1 });
  // Several requests are under way at once.
  const maybeCrash = (isUnwritten: (arrival: Arrival) => boolean): void => {
    if (random() >= play.crashShare) return;
    play.crashedOver.push(...new Set(life.arrived.filter(isUnwritten).map(({ name }) => name)));
    throw new Crash();
  };
  const process = life.process({
    tap: () => maybeCrash(({ at }) => life.clock.ms - at < writtenWithinMs),
    around: async (step, take) => {
      if (step === 'send') maybeCrash(() => false);
      const result = await take();
      if (step === 'send') maybeCrash(({ outcome }) => Object.is(outcome, result));
      return result;
    },
  });
  const play: Play = {
    life,
    random,
    happened: [],
    switches: [],
    asked: new Map(),
    crashedOver: [],
    crashShare: 0,
    process,
  };
  return play;
}

const pick = <Value>({ random }: Play, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

const answers = [
  () => ok,
  () => ok,
  () => answered(500),
  () => answered(410),
  (name: string) => (name.endsWith('3') ? answered(400) : ok),
  (name: string) => (name.endsWith('1') ? answered(503) : ok),
] as const;

const pass = (play: Play, ms: number): Promise<void> => play.life.pass(ms, () => play.process);

async function happen(play: Play, most: number): Promise<void> {
  const count = 1 + Math.floor(play.random() * most);
  const fresh = Array.from({ length: count }, (_, n) => `e${play.happened.length + n}`);
  play.happened.push(...fresh);
  await play.life.happen(fresh);
}

async function setActive(play: Play, active: boolean): Promise<void> {
  play.switches.push({ at: play.life.clock.ms, active });
  await play.life.process().change({ active });
}

/** What people ask for may be refused, at most. */
async function ask(play: Play, wish: (process: RecoveryProcess) => Promise<unknown>): Promise<boolean> {
  try {
    await wish(play.life.process());
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

async function redeliverOne(play: Play): Promise<void> {
  if (play.happened.length === 0) return;
  const name = pick(play, play.happened);
  const first = await firstOf(play.life, name);
  if (await ask(play, (process) => process.redeliver(first))) play.asked.set(name, (play.asked.get(name) ?? 0) + 1);
}

const moves: readonly ((play: Play) => Promise<unknown> | undefined)[] = [
  (play) => happen(play, 4),
  (play) => happen(play, 4),
  (play) => happen(play, 18),
  (play) => pass(play, pick(play, [200, 900, 2_500, 12_000])),
  (play) => pass(play, pick(play, [30_000, minuteMs, 5 * minuteMs, hourMs])),
  (play) => setActive(play, false),
  (play) => setActive(play, true),
  (play) => {
    play.life.answer = pick(play, answers);
    return undefined;
  },
  (play) => {
    play.life.answer = pick(play, answers);
    return undefined;
  },
  (play) => {
    play.crashShare = pick(play, [0, 0.02, 0.1]);
    return undefined;
  },
  (play) => {
    play.life.engine.isAway = play.random() < 0.3;
    return undefined;
  },
  redeliverOne,
  (play) => ask(play, (process) => process.recover()),
];

/** Everybody is well again, and time passes; only the owner has to enable what was disabled. */
async function settle(play: Play): Promise<void> {
  play.life.answer = () => ok;
  play.life.engine.isAway = false;
  play.crashShare = 0;
  await pass(play, minuteMs);
  if (!(await play.life.row()).active) await setActive(play, true);
  // Runs by themselves are never further apart than an hour.
  await pass(play, 3 * hourMs);
}

/** `failCount` and `active` as the specification tells them, from the ends of the deliveries of events alone. */
function referenceOf(ends: readonly Delivery[], switches: readonly Switch[]): { failCount: number; active: boolean } {
  const steps: { at: number; what: string }[] = [
    ...ends.map(({ updatedAt, state }) => ({ at: updatedAt.getTime(), what: state })),
    ...switches.map(({ at, active }) => ({ at, what: active ? 'enabled' : 'disabled' })),
  ].sort((a, b) => a.at - b.at);
  let [failCount, active] = [0, true];
  for (const { what } of steps) {
    if (what === 'enabled') [failCount, active] = [0, true];
    if (what === 'disabled') active = false;
    if (what === 'succeeded' && active) failCount = 0;
    if (what === 'given_up') failCount += 1;
    if (failCount >= disableAfterFailures) active = false;
  }
  return { failCount, active };
}

async function assertCounted(t: ExecutionContext, { life, switches }: Play): Promise<void> {
  const ends = await life.deliveries({ purpose: 'event', state: { $in: ['succeeded', 'given_up'] } });
  const { failCount, active } = await life.row();
  t.deepEqual({ failCount, active }, referenceOf(ends, switches));
}

async function assertEnd(t: ExecutionContext, play: Play): Promise<void> {
  const { life, happened, asked, crashedOver } = play;
  const got = new Map<string, number>();
  for (const name of life.got()) got.set(name, (got.get(name) ?? 0) + 1);
  t.deepEqual(happened.filter((name) => !got.has(name)).join(), '', 'every event has got through');
  for (const [name, times] of got) {
    const may = 1 + (asked.get(name) ?? 0) + crashedOver.filter((one) => one === name).length;
    t.true(times <= may, `${name} got through ${times} times, explained are ${may}`);
  }
  const succeeded = await life.deliveries({ state: 'succeeded' });
  for (const [name, own] of groupBy(succeeded, ({ externalId }) => externalId))
    t.true(own.length <= 1 + (asked.get(name) ?? 0), `${own.length} deliveries of ${name} have succeeded`);
  t.deepEqual(await life.deliveries({ $or: [{ state: 'pending' }, { missed: true }, { attempts: { $gt: 5 } }] }), []);
  t.like(await life.row(), { active: true, recoverAt: null });
  await assertRuns(t, life);
}

/** Runs of a target don't overlap, and each sends in the order in which the events were stored, and counts what it sent. */
async function assertRuns(t: ExecutionContext, life: RecoveryLife): Promise<void> {
  const sent = await life.deliveries({ purpose: 'recovery' });
  const runs = (await life.recoveries()).toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  let endedAt = 0;
  for (const run of runs) {
    t.not(run.state, 'running');
    t.true(run.createdAt.getTime() >= endedAt, 'one at a time');
    endedAt = run.updatedAt.getTime();
    const own = sent.filter(({ createdAt }) => createdAt >= run.createdAt && createdAt <= run.updatedAt);
    const times = own.map(({ eventAt }) => eventAt.getTime());
    t.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    t.is(new Set(own.map(({ eventId }) => eventId)).size, own.length);
    const count = (state: string): number => own.filter((delivery) => delivery.state === state).length;
    t.deepEqual([run.sent, run.failed], [count('succeeded'), count('given_up')]);
  }
}

async function playOnce(t: ExecutionContext, store: StoreConnection, playSeed: number): Promise<void> {
  const play = await startPlay(store, playSeed);
  try {
    for (let n = 0; n < 14; n += 1) await pick(play, moves)(play);
    await assertCounted(t, play);
    await settle(play);
    await assertCounted(t, play);
    await assertEnd(t, play);
  } finally {
    await play.life.close();
  }
}

test('in random lives all gets through, nothing twice without a reason, counted right', async (t) => {
  t.timeout(600_000);
  const attempts: TryResult[] = [];
  const failed: number[] = [];
  const lane = async (first: number): Promise<void> => {
    const store = await openTestStore();
    try {
      for (let n = first; n < lives && failed.length === 0; n += lanes) {
        const seed = randomSeed + n;
        const attempt = await t.try(`life ${seed}`, (own) => playOnce(own, store, seed));
        if (!attempt.passed) failed.push(seed);
        attempts.push(attempt);
      }
    } finally {
      await closeTestStore(store);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, lives) }, (_, first) => lane(first)));
  for (const seed of failed) t.log(`begins with the life that went wrong: ${howToRepeat(t.title, seed)}`);
  // A failure ends the test at once, while the other lanes hold their databases.
  for (const attempt of attempts) attempt.commit();
});
