import type { Logger } from '../platform/logger.ts';

export interface TurnsOptions {
  /** Does some work of these keys, a bounded amount of each, and returns those that have more. */
  readonly work: (keys: readonly string[]) => Promise<Iterable<string>>;
  /** Turns under way at once. */
  readonly atOnce: number;
  /** Keys with little work that share a turn. */
  readonly together: number;
  /** A turn that takes longer goes on, but keeps no other from its own. */
  readonly patienceMs?: number;
  /** A turn that found little is followed by a rest of so many times its length, in which more gathers for the next; 0 by default. */
  readonly restsPerTurn?: number;
  /** Called when a turn fails; its keys are tried again after a pause. */
  readonly onFailure: (keys: readonly string[], error: unknown) => void;
}

/** Keys that have their turn together. */
interface Turn {
  readonly keys: readonly string[];
  /** Those that work came for meanwhile. */
  readonly again: Set<string>;
}

const usualPatienceMs = 1_000;
/** Turns that hang, at rows that are locked or on a dead connection, are bounded too. */
const underWayMax = 16;
const afterFailureMs = 1_000;
/** Nobody notices so long a rest: who has pushed an item has had the answer. */
const restMaxMs = 100;
/** Keys whose last turn is remembered. A forgotten one counts as never served. */
const servedMax = 10_000;

/**
 * Gives keys their turns: next is the key that was served longest ago. So a quiet account waits for the turns under way, whatever
 * others have due. A key is in one turn at a time; those of a shared turn that takes too long have the next one alone, because one
 * of them may hold up the others.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #ready = new Set<string>();
  readonly #underWay = new Map<string, Turn>();
  /** When each key was served last: a number that only grows. */
  readonly #served = new Map<string, number>();
  readonly #busy = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #counted = 0;
  #turn = 0;
  /** Until then no turn begins, unless a key that is ready filled its last one. */
  #restsUntil = 0;
  #restsEnd: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#ready.size === 0 && this.#running.size === 0;
  }

  /** The key has work, or may have some. */
  add(key: string): void {
    this.#note(key);
    this.#begin();
  }

  /** Begins no further turn, and resolves when those under way have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ready.clear();
    await Promise.all(this.#running);
  }

  #note(key: string): void {
    if (!this.#isClosed) (this.#underWay.get(key)?.again ?? this.#ready).add(key);
  }

  #begin(): void {
    const { atOnce } = this.#options;
    while (!this.#isClosed && this.#ready.size > 0 && this.#counted < atOnce && this.#running.size < underWayMax) {
      if (this.#isResting()) return;
      const turn: Turn = { keys: this.#next(), again: new Set() };
      for (const key of turn.keys) {
        this.#ready.delete(key);
        this.#underWay.set(key, turn);
      }
      const taken = this.#take(turn).finally(() => {
        this.#running.delete(taken);
        this.#begin();
      });
      this.#running.add(taken);
    }
  }

  /** Turns begin again when the rest is over. */
  #isResting(): boolean {
    const restMs = this.#restsUntil - performance.now();
    if (restMs <= 0 || [...this.#busy].some((key) => this.#ready.has(key))) return false;
    if (this.#restsEnd === undefined)
      this.#restsEnd = setTimeout(() => {
        this.#restsEnd = undefined;
        this.#begin();
      }, restMs).unref();
    return true;
  }

  /** Called as a turn begins. The next one waits for its end and the rest that follows, unless it is a long one. */
  #rest(keys: readonly string[]): (isOver: { readonly hasMore: boolean }) => void {
    const { restsPerTurn = 0 } = this.#options;
    if (restsPerTurn === 0 || keys.some((key) => this.#busy.has(key))) return () => undefined;
    const beganAt = performance.now();
    this.#restsUntil = beganAt + restMaxMs;
    return ({ hasMore }) => {
      const now = performance.now();
      const restMs = hasMore ? 0 : Math.min(restsPerTurn * (now - beganAt), restMaxMs);
      this.#restsUntil = now + restMs;
    };
  }

  /** A key that filled its last turn has one of its own. */
  #next(): string[] {
    const servedAt = (key: string): number => this.#served.get(key) ?? 0;
    const ready = [...this.#ready].toSorted((one, other) => servedAt(one) - servedAt(other));
    const [first] = ready;
    if (first === undefined || this.#busy.has(first)) return ready.slice(0, 1);
    return ready.filter((key) => !this.#busy.has(key)).slice(0, this.#options.together);
  }

  async #take(turn: Turn): Promise<void> {
    const { keys } = turn;
    const { work, onFailure } = this.#options;
    const stopCounting = this.#count(turn);
    const endTurn = this.#rest(keys);
    let hasFailed = false;
    let more: ReadonlySet<string> = new Set();
    try {
      more = new Set(await work(keys));
    } catch (error) {
      hasFailed = true;
      onFailure(keys, error);
    } finally {
      stopCounting();
      endTurn({ hasMore: more.size > 0 });
    }
    this.#turn += 1;
    for (const key of keys) {
      const isWanted = more.has(key) || turn.again.has(key);
      if (this.#underWay.get(key) === turn) this.#end(key, { isBusy: more.has(key) });
      if (hasFailed) setTimeout(() => this.add(key), afterFailureMs).unref();
      else if (isWanted) this.#note(key);
    }
  }

  #end(key: string, { isBusy }: { readonly isBusy: boolean }): void {
    this.#underWay.delete(key);
    this.#remember(key);
    if (isBusy) this.#busy.add(key);
    else this.#busy.delete(key);
  }

  /** Its keys are taken one by one from now on, until they have no more. */
  #split({ keys, again }: Turn): void {
    for (const key of keys) {
      this.#end(key, { isBusy: true });
      if (again.delete(key)) this.#note(key);
    }
  }

  #remember(key: string): void {
    this.#served.delete(key);
    this.#served.set(key, this.#turn);
    const [oldest] = this.#served.keys();
    if (this.#served.size > servedMax && oldest !== undefined) this.#served.delete(oldest);
  }

  #count(turn: Turn): () => void {
    const { patienceMs = usualPatienceMs } = this.#options;
    this.#counted += 1;
    let isCounted = true;
    const stop = (): void => {
      if (!isCounted) return;
      isCounted = false;
      this.#counted -= 1;
      clearTimeout(timer);
    };
    const timer = setTimeout(() => {
      stop();
      if (turn.keys.length > 1) this.#split(turn);
      this.#begin();
    }, patienceMs).unref();
    return stop;
  }
}

/** What a failed turn says in the log. */
export const turnFailed =
  (logger: Pick<Logger, 'warn'>, what: string) =>
  (keys: readonly string[], error: unknown): void =>
    logger.warn({ what, keys: keys.slice(0, 10), err: error }, 'dispatch.turn_failed');
