import { restAfterUnknownMs, type Wish, type Write } from '../observed.ts';

/** What a partner's item is as far as its writes alone tell. */
export interface There {
  readonly title: string;
  readonly price: number;
  readonly service: 'live' | 'not_listed' | 'sold';
}
export type ItemState = There | 'gone';

export interface Believed {
  /** Every state that the answers leave possible: more than one after an answer that never came. */
  readonly states: readonly ItemState[];
  /** Answers that no possible state explains. */
  readonly problems: readonly string[];
  /** All prices that were ever asked for: bids hold an older one. */
  readonly prices: ReadonlySet<number>;
  /** When the last write of its status was answered with yes; 0 before the first. */
  readonly statusWrittenAt: number;
}

/**
 * Follows the writes of one external id in their order; the last accepted one wins. A write that nobody answered may have
 * happened or not, until an answer tells. `mayBeSold`: auctions were won, so that refusals have other reasons too.
 */
export function believe(writes: readonly Write[], { mayBeSold }: { mayBeSold: boolean }): Believed {
  let states: readonly ItemState[] = ['gone'];
  const problems: string[] = [];
  for (const write of writes) {
    const next = after(states, write, mayBeSold);
    if (next.length === 0)
      problems.push(`${describe(write)} was ${write.outcome} (${write.status ?? 'no answer'}) of ${text(states)}`);
    else states = next;
  }
  return {
    states,
    problems,
    prices: pricesOf(writes),
    statusWrittenAt: writes.findLast(isOfStatus)?.endedAt ?? 0,
  };
}

/**
 * Pushes of several programs to one external id, in the order of their answers. Whichever may have come last may have won: not one that
 * was over, with all its tries, before another that was accepted began.
 */
export function believeContested(writes: readonly Write[]): Believed {
  const accepted = writes.filter(({ outcome }) => outcome === 'accepted');
  const last = writes.filter((write) => !accepted.some(({ beganAt }) => beganAt > overAt(write)));
  const states = last.flatMap(({ wish, outcome }) => (outcome === 'refused' ? [] : (apply('gone', wish) ?? [])));
  return {
    states: distinct(accepted.length === 0 ? ['gone', ...states] : states),
    problems: writes
      .filter(({ outcome }) => outcome === 'refused')
      .map((write) => `${describe(write)} was refused (${write.status ?? 'no answer'})`),
    prices: pricesOf(writes),
    statusWrittenAt: 0,
  };
}

const overAt = ({ tries, outcome, endedAt }: Write): number =>
  endedAt + (tries > 1 || outcome === 'unknown' ? restAfterUnknownMs : 0);

const pricesOf = (writes: readonly Write[]): ReadonlySet<number> =>
  new Set(writes.flatMap(({ wish }) => ('price' in wish ? [wish.price] : [])));

const isOfStatus = ({ wish, outcome }: Write): boolean =>
  outcome === 'accepted' && (wish.kind === 'status' || wish.kind === 'publish' || wish.kind === 'delete');

function after(states: readonly ItemState[], write: Write, mayBeSold: boolean): ItemState[] {
  const written = states.flatMap((state) => apply(state, write.wish) ?? []);
  switch (write.outcome) {
    case 'accepted':
      // A DELETE is answered for what it leaves: its second try finds nothing more to do. What was won stays readable when it is
      // deleted, and takes another DELETE.
      return write.wish.kind === 'delete' && (write.tries > 1 || mayBeSold) ? ['gone'] : distinct(written);
    case 'unknown':
      return distinct([...states, ...written]);
    case 'refused': {
      const refusing = states.filter((state) => apply(state, write.wish) === undefined);
      // An earlier try that nobody answered may have been the one that happened.
      if (write.tries > 1) return distinct([...refusing, ...written, ...(mayBeSold ? states : [])]);
      return mayBeSold ? [...states] : refusing;
    }
  }
}

/** undefined: refused. */
function apply(state: ItemState, wish: Wish): ItemState | undefined {
  if (wish.kind === 'put')
    return { title: wish.title, price: wish.price, service: state === 'gone' ? 'live' : state.service };
  if (state === 'gone') return undefined;
  switch (wish.kind) {
    case 'price':
      return { ...state, price: wish.price };
    case 'status':
      return { ...state, service: wish.status };
    case 'publish':
      return state.service === 'sold' ? undefined : { ...state, service: 'live' };
    case 'delete':
      return 'gone';
  }
}

const text = (states: readonly ItemState[]): string => states.map((state) => JSON.stringify(state)).join(' or ');
const describe = ({ wish }: Write): string => JSON.stringify(wish);

function distinct(states: readonly ItemState[]): ItemState[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
