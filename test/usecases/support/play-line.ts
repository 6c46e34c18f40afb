import { createEndpointHealth } from '../../../usecases/deliveries/endpoint-health.ts';

export interface Play {
  readonly processes: number;
  readonly deliveries: number;
  /** How the receiver answers an attempt that begins then. */
  readonly answer: (atMs: number) => { readonly succeeded: boolean; readonly durationMs: number };
  /** When the nth delivery looks first; by default every 5 ms one. */
  readonly arrivesAt?: (index: number) => number;
}

export interface Played {
  readonly tookMs: number;
  readonly looks: number;
  /** Of the delivery that looked most often. */
  readonly looksMax: number;
  /** After the first looks, which come as fast as events do. */
  readonly looksPerSecondMax: number;
  readonly inFlightMax: number;
  /** From its first look to its attempt. */
  readonly waitedMs: readonly number[];
}

const tickMs = 10;
/** What an attempt takes beside the answer, and by how much a timer is late. */
const overheadMs = 20;
const lateMsMax = 100;
/** A day. */
const ticksMax = 86_400_000 / tickMs;

/**
 * Deliveries to one target, each with one attempt, as workflows and timers would play them: each look happens in any of the
 * processes, and only the delivery itself knows whether it has waited.
 */
export function playLine(play: Play): Played {
  const { processes, deliveries, answer, arrivesAt = (index) => index * 5 } = play;
  const agenda = createAgenda();
  const random = seededRandom();
  const health = Array.from({ length: processes }, () => createEndpointHealth(agenda.now, random));
  for (const one of health) for (let times = 0; times < 3; times += 1) learn(one, answer(0));
  const looks = Array.from({ length: deliveries }, () => 0);
  const waitedMs = Array.from({ length: deliveries }, () => 0);
  const laterLooks = new Map<number, number>();
  const all = { inFlight: 0, inFlightMax: 0 };

  const look = (index: number, options: { hasWaited: boolean }): void => {
    looks[index] = (looks[index] ?? 0) + 1;
    if (options.hasWaited) count(laterLooks, Math.floor(agenda.now() / 1_000));
    const asked = health[Math.floor(random() * processes)]?.tryBegin('target', options);
    if (asked === undefined) throw new Error('no process');
    if (asked.kind === 'wait')
      agenda.in(asked.forMs + random() * lateMsMax, () => {
        look(index, { hasWaited: true });
      });
    else attempt(index, asked.end);
  };

  const attempt = (index: number, end: (ended: ReturnType<typeof answer>) => void): void => {
    const ended = answer(agenda.now());
    waitedMs[index] = agenda.now() - arrivesAt(index);
    all.inFlight += 1;
    all.inFlightMax = Math.max(all.inFlightMax, all.inFlight);
    agenda.in(ended.durationMs + overheadMs, () => {
      all.inFlight -= 1;
      end(ended);
    });
  };

  for (let index = 0; index < deliveries; index += 1)
    agenda.in(arrivesAt(index), () => {
      look(index, { hasWaited: false });
    });
  agenda.play();
  return {
    tookMs: agenda.now(),
    looks: looks.reduce((sum, each) => sum + each, 0),
    looksMax: Math.max(...looks),
    looksPerSecondMax: Math.max(0, ...laterLooks.values()),
    inFlightMax: all.inFlightMax,
    waitedMs,
  };
}

function learn(health: ReturnType<typeof createEndpointHealth>, ended: ReturnType<Play['answer']>): void {
  const asked = health.tryBegin('target', { hasWaited: false });
  if (asked.kind === 'begun') asked.end(ended);
}

const count = (counts: Map<number, number>, key: number): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);

/** What happens in the order of its time, on a clock that jumps. */
function createAgenda() {
  const ticks = new Map<number, (() => void)[]>();
  const clock = { tick: 0 };
  return {
    now: () => clock.tick * tickMs,
    in: (ms: number, action: () => void): void => {
      const tick = clock.tick + Math.max(1, Math.round(ms / tickMs));
      const actions = ticks.get(tick) ?? [];
      actions.push(action);
      ticks.set(tick, actions);
    },
    play: (): void => {
      while (ticks.size > 0) {
        clock.tick += 1;
        if (clock.tick > ticksMax) throw new Error('the line never ends');
        const actions = ticks.get(clock.tick) ?? [];
        ticks.delete(clock.tick);
        for (const action of actions) action();
      }
    },
  };
}

/** The same numbers in each run (a linear congruential generator with the parameters of Numerical Recipes). */
function seededRandom(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
