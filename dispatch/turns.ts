import type { Logger } from '../platform/logger.ts';

export interface TurnsOptions {
  /** Does some work of these keys, a bounded amount of each, and returns those that have more. */
  readonly work: (keys: readonly string[]) => Promise<Iterable<string>>;
  /** Largest number of turns at once. */
  readonly atOnce: number;
  /** Largest number of keys with little work that share a turn. */
  readonly together: number;
  /** A turn that takes longer goes on, but no longer keeps other keys waiting. */
  readonly patienceMs?: number;
  /**
   * After a turn that found little: a rest of so many times its length, in which more gathers for the next; 0 by
   * default.
   */
  readonly restsPerTurn?: number;
  /** Called when a turn fails; its keys are tried again after a pause. */
  readonly onFailure: (keys: readonly string[], error: unknown) => void;
}

/** Keys that have their turn together. */
interface Turn {
  readonly keys: readonly string[];
  /** Keys of this turn that got new work while it ran. */
  readonly again: Set<string>;
}

const usualPatienceMs = 1_000;
/** Largest number of turns in progress, including those that hang at locked rows or dead connections. */
const underWayMax = 16;
const afterFailureMs = 1_000;
/** Short enough that no caller notices: a push has been answered before its item is dispatched. */
const restMaxMs = 100;
/** How many keys' last turns are remembered. A forgotten key counts as never served. */
const servedMax = 10_000;

/**
 * Gives keys their turns; the key that was served longest ago is next. So a quiet account waits only for the turns in
 * progress, whatever others have due. A key is in one turn at a time. When a shared turn takes too long, each of its
 * keys has the next turn alone, because one of them may delay the others.
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
  /** No turn begins before this time, unless a ready key filled its last turn. */
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

  /** Begins no further turn, and resolves when those in progress have ended. */
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

  /** Whether the rest after the last turn lasts; its end begins the next turns. */
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

  /** Called as a turn begins. Returns a function for its end, which sets the rest that follows. */
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

  /** The keys of the next turn. A key that filled its last turn has one of its own. */
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

  /** From now on the keys of this turn are taken one by one, until they have no more work. */
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

/** Writes a log line for a failed turn. */
export const turnFailed =
  (logger: Pick<Logger, 'warn'>, what: string) =>
  (keys: readonly string[], error: unknown): void =>
    logger.warn({ what, keys: keys.slice(0, 10), err: error }, 'dispatch.turn_failed');
