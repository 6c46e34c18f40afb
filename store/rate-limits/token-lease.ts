import {
  allowedVerdict,
  payablePoints,
  refusedVerdict,
  tokenTolerance,
  type RateRule,
  type RateVerdict,
} from '../../core/rate-limits/rate-rule.ts';
import type { Share, ShareRequest } from './rate-buckets.ts';

/** One process's share of one bucket. Times are of its own steady clock, in ms. */
export interface Holding {
  /** Tokens that may be spent before `endsAtMs`. */
  left: number;
  /** What the database has down as held by us: `left`, and what was spent of it since. */
  held: number;
  /** Number of the window in which it was granted. */
  window: number;
  endsAtMs: number;
  /** What was there for everybody at `levelAtMs`: by now at most what the rate has added more. */
  level: number;
  levelAtMs: number;
  /** The last request was not granted all it asked for. */
  isShort: boolean;
  /** Tokens to ask for besides those that are needed at once. */
  extra: number;
  waiting: WaitingCall[];
  /** Points of the waiting calls together: whoever comes now comes after them. */
  promised: number;
  isAsking: boolean;
}

export interface WaitingCall {
  readonly points: number;
  readonly answer: (verdict: RateVerdict) => void;
  /** It has waited for as long as it may and was answered without. */
  isGone: boolean;
}

/** A request and what was there when it was sent. */
export interface Plan {
  readonly request: Omit<ShareRequest, 'key'>;
  /** For which it asks. */
  readonly calls: readonly WaitingCall[];
  readonly left: number;
  readonly sentAtMs: number;
}

/** An empty bucket is not asked more often: one round trip then fetches several tokens. */
const pauseMs = 50;
/** A share that lasts shorter is asked for twice as large, one that lasts longer half as large. */
const [lastsShortMs, lastsLongMs] = [1_000, 3_000];

export const emptyHolding = (): Holding => ({
  ...{ left: 0, held: 0, window: -1, endsAtMs: 0 },
  ...{ level: Infinity, levelAtMs: -Infinity, isShort: false, extra: 0 },
  waiting: [],
  promised: 0,
  isAsking: false,
});

/**
 * A quarter of a second's worth, and not so much that it would be missed elsewhere; 0 for slow rules: they are exact. A
 * process only comes to hold that much when it spends it within about a second.
 */
export const extraMaxOf = ({ perSecond, capacity }: RateRule): number =>
  perSecond < slowPerSecond ? 0 : Math.floor(Math.min(perSecond / 4, capacity / 8));
/** From here on a share pays for more than a call or two. */
const slowPerSecond = 10;

interface JudgedCall {
  readonly points: number;
  readonly nowMs: number;
}

/** The verdict when it can be told without asking: paid from the share, or certainly too much. */
export function judge(rule: RateRule, holding: Holding, call: JudgedCall): RateVerdict | undefined {
  if (call.nowMs >= holding.endsAtMs) holding.left = 0;
  // The share is for those who came before.
  const isPaid = holding.promised === 0 && holding.left >= call.points;
  return isPaid ? pay(rule, holding, call) : refuseExcess(rule, holding, call);
}

/** Nobody waits for what those before it will have taken, so no more calls wait than there can be tokens for. */
function refuseExcess(rule: RateRule, holding: Holding, { points, nowMs }: JudgedCall): RateVerdict | undefined {
  const tokens = tokensAt(rule, holding, nowMs) - holding.promised;
  const isPausing = holding.isShort && nowMs - holding.levelAtMs < pauseMs;
  return isPausing || tokens + tokenTolerance < points ? refusedVerdict(rule, tokens, points) : undefined;
}

export function join(holding: Holding, call: WaitingCall): void {
  holding.waiting.push(call);
  holding.promised += call.points;
}

/** Before it was answered; what is on its way for it is then nobody's. */
export function leave(holding: Holding, call: WaitingCall): void {
  call.isGone = true;
  holding.waiting = holding.waiting.filter((one) => one !== call);
  holding.promised -= call.points;
}

/** All that wait, to be answered in another way. */
export function dismiss(holding: Holding): readonly WaitingCall[] {
  const { waiting } = holding;
  holding.waiting = [];
  holding.promised = 0;
  return waiting;
}

/** Time to fetch the next share beside the calls, so that none has to wait for it. */
export const isRunningLow = (rule: RateRule, holding: Holding, nowMs: number): boolean =>
  holding.extra >= 4 && holding.left <= holding.extra / 2 && holding.level >= holding.extra && nowMs < holding.endsAtMs;

/** What to ask the database for now: for all waiting calls of as many points as the first, and something besides. */
export function planRequest(rule: RateRule, holding: Holding, nowMs: number): Plan {
  if (nowMs >= holding.endsAtMs) holding.left = 0;
  holding.extra = nextExtra(rule, holding, nowMs);
  const { left, held, extra, window } = holding;
  const unit = holding.waiting[0]?.points ?? 1;
  const calls = holding.waiting.filter(({ points }) => points === unit);
  const needed = Math.max(0, calls.length * unit - left);
  return { request: { needed, unit, extra, spent: held - left, window }, calls, left, sentAtMs: nowMs };
}

function nextExtra(rule: RateRule, { extra, levelAtMs }: Holding, nowMs: number): number {
  const lastedMs = nowMs - levelAtMs;
  if (lastedMs > lastsLongMs) return Math.floor(extra / 2);
  return lastedMs > lastsShortMs ? extra : Math.min(extraMaxOf(rule), Math.max(1, extra * 2));
}

/** Since it was sent more of the share may have been spent. */
export function applyShare(holding: Holding, share: Share, { request, calls, left, sentAtMs }: Plan): void {
  const isSameWindow = share.window === request.window;
  const gone = calls.reduce((points, call) => points + (call.isGone ? call.points : 0), 0);
  // The database has what was needed down as spent.
  holding.left = Math.max(0, (isSameWindow ? holding.left : 0) + share.granted - gone);
  holding.held = (isSameWindow ? left : 0) + Math.max(0, share.granted - request.needed);
  holding.window = share.window;
  holding.level = share.level;
  // The database answered later than that, so its window ends no earlier and its level has grown no more.
  holding.levelAtMs = sentAtMs;
  holding.endsAtMs = sentAtMs + share.endsInMs;
  holding.isShort = share.granted < request.needed + request.extra;
}

/**
 * Answers whom it can. Those who were not asked for yet may stay, as far as there can be tokens for them; to ask again for
 * what the database has just denied would only keep them waiting, and the longer the farther away it is.
 * @param denied whom the database had too little for
 * @param paid points that the database has down as spent by waiting calls: theirs, even when the answer came after the window's end
 */
export function answerWaiting(
  rule: RateRule,
  holding: Holding,
  { nowMs, denied, paid }: { readonly nowMs: number; readonly denied: ReadonlySet<WaitingCall>; readonly paid: number },
): void {
  if (nowMs >= holding.endsAtMs) holding.left = Math.min(holding.left, paid);
  for (const call of dismiss(holding)) {
    const judged = { points: call.points, nowMs };
    if (holding.left >= call.points) call.answer(pay(rule, holding, judged));
    else if (denied.has(call)) call.answer(refusedVerdict(rule, Math.min(holding.level, call.points), call.points));
    else {
      const verdict = refuseExcess(rule, holding, judged);
      if (verdict === undefined) join(holding, call);
      else call.answer(verdict);
    }
  }
}

/** What a share means for those who wait: see {@link answerWaiting}. */
export function outcomeOf(
  { granted }: Share,
  { request, calls }: Plan,
): { readonly denied: ReadonlySet<WaitingCall>; readonly paid: number } {
  const wanted = calls.reduce((points, call) => points + (call.isGone ? 0 : call.points), 0);
  return {
    denied: new Set(granted < request.needed ? calls : []),
    paid: Math.min(granted, request.needed, wanted),
  };
}

/** Into the share what a call has taken of it, or of a share before; nothing is kept beyond the window. */
export function putBack(rule: RateRule, holding: Holding | undefined, { points, nowMs }: JudgedCall): void {
  if (holding !== undefined && nowMs < holding.endsAtMs) holding.left += payablePoints(rule, points);
}

function pay(rule: RateRule, holding: Holding, { points, nowMs }: JudgedCall): RateVerdict {
  holding.left -= points;
  return allowedVerdict(rule, tokensAt(rule, holding, nowMs));
}

/** At most this is there for the caller: the share and what everybody may take. Infinity before the first request. */
function tokensAt({ capacity, perSecond }: RateRule, holding: Holding, nowMs: number): number {
  const gained = ((nowMs - holding.levelAtMs) * perSecond) / 1000;
  return Math.min(capacity, holding.left + holding.level + gained);
}
