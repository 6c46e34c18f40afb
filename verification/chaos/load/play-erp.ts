import { setTimeout as pause } from 'node:timers/promises';
import { restAfterUnknownMs, type Wish, type Write } from '../observed.ts';
import type { Random } from '../random.ts';
import type { Account } from '../world/account.ts';
import { kindOf, tryCall, type Answer } from './call.ts';
import type { Journal } from './journal.ts';

export interface ErpOptions {
  readonly random: Random;
  readonly account: Account;
  /** Of the API that the next call goes to. */
  readonly nextApi: () => string;
  readonly journal: Journal;
  /** Addresses of pictures. */
  readonly pictures: readonly string[];
  /** External ids that are this actor's own: nobody else writes them. */
  readonly externalIds: readonly string[];
  readonly pauseMs: readonly [from: number, to: number];
  /** Items that are written side by side; one after the other unless said otherwise. */
  readonly atOnce?: number;
  readonly isOver: () => boolean;
}

const triesMax = 40;

/** An ERP program that writes its items one (or some) after the other, and sends again, word for word, what was not answered. */
export async function playErp(options: ErpOptions): Promise<void> {
  const { random, externalIds, pauseMs, atOnce = 1, isOver } = options;
  const restUntil = new Map<string, number>();
  const known = new Map<string, Known>();
  const writeOne = async (externalId: string): Promise<void> => {
    const before = known.get(externalId) ?? { isThere: false, put: null };
    const wish = chooseWish(random, { ...before, canBePublished: options.pictures.length > 0 });
    const { write, sawUnknown } = await writeItem(options, { externalId, wish });
    options.journal.writes.push(write);
    known.set(externalId, after(before, write));
    if (sawUnknown) restUntil.set(externalId, Date.now() + restAfterUnknownMs);
  };
  while (!isOver()) {
    const free = externalIds.filter((id) => (restUntil.get(id) ?? 0) < Date.now());
    await Promise.all(pickSome(random, free, atOnce).map((externalId) => writeOne(externalId)));
    await pause(random.between(...pauseMs));
  }
}

function pickSome(random: Random, values: readonly string[], count: number): string[] {
  const left = [...values];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const picked = random.pick(left);
    left.splice(left.indexOf(picked), 1);
    return picked;
  });
}

/** Programs that know nothing of each other push the same items, some of them in the same moment. */
export async function playRival(options: ErpOptions): Promise<void> {
  const { random, externalIds, pauseMs, isOver, journal } = options;
  while (!isOver()) {
    const writes = await Promise.all(
      externalIds.map((externalId) => writeItem(options, { externalId, wish: freshPut(random) })),
    );
    journal.writes.push(...writes.map(({ write }) => ({ ...write, isContested: true })));
    await pause(random.between(...pauseMs));
  }
}

/** What the actor believes of its item, to choose what makes sense. */
interface Known {
  readonly isThere: boolean;
  readonly put: Extract<Wish, { kind: 'put' }> | null;
}

function after(before: Known, { wish, outcome }: Write): Known {
  if (wish.kind === 'put') return { isThere: true, put: wish };
  if (wish.kind === 'delete' && outcome !== 'refused') return { isThere: false, put: before.put };
  return before;
}

function chooseWish(
  random: Random,
  { isThere, put, canBePublished }: Known & { readonly canBePublished: boolean },
): Wish {
  if (!isThere || put === null) return random.chance(0.95) ? freshPut(random) : { kind: 'price', price: 100 };
  const draw = random.next();
  if (draw < 0.28) return freshPut(random);
  if (draw < 0.36) return put;
  if (draw < 0.66) return { kind: 'price', price: random.between(50, 900) };
  if (draw < 0.76) return { kind: 'status', status: 'not_listed' };
  if (draw < 0.8) return { kind: 'status', status: 'sold' };
  if (draw < 0.9) return canBePublished ? { kind: 'publish' } : freshPut(random);
  return { kind: 'delete' };
}

const freshPut = (random: Random): Extract<Wish, { kind: 'put' }> => ({
  kind: 'put',
  title: `Nr ${random.between(1, 999_999)}`,
  price: random.between(50, 900),
});

/** Tries until somebody answers; a few times it loses patience, and nobody knows. */
async function writeItem(
  options: ErpOptions,
  { externalId, wish }: { externalId: string; wish: Wish },
): Promise<{ write: Write; sawUnknown: boolean }> {
  const { random, account } = options;
  const patience = random.chance(0.1) ? 1 : triesMax;
  const beganAt = Date.now();
  const request = requestOf(options, externalId, wish);
  let answer: Answer = { status: null, text: '' };
  let tries = 0;
  while (tries < patience) {
    answer = await tryCall({ ...options, url: `${options.nextApi()}${request.path}` }, request);
    tries += 1;
    if (kindOf(answer.status) !== 'unknown') break;
    await pause(random.between(200, 1_000));
  }
  // The first try of a DELETE was done although nobody heard of it.
  const wasGone = wish.kind === 'delete' && answer.status === 404 && tries > 1;
  const outcome = wasGone ? 'accepted' : kindOf(answer.status);
  const times = { tries, beganAt, endedAt: Date.now() };
  const write = { account: account.id, externalId, wish, outcome, status: answer.status, ...times };
  return { write, sawUnknown: tries > 1 || outcome === 'unknown' };
}

interface ItemRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

function requestOf(options: Pick<ErpOptions, 'pictures'>, externalId: string, wish: Wish): ItemRequest {
  const path = `/integration/v1/items/${externalId}`;
  switch (wish.kind) {
    case 'put':
      return { method: 'PUT', path, body: JSON.stringify(itemBody(wish, pictureOf(options.pictures, externalId))) };
    case 'price':
      return { method: 'PATCH', path: `${path}/price`, body: JSON.stringify({ price: wish.price }) };
    case 'status':
      return { method: 'PATCH', path: `${path}/status`, body: JSON.stringify({ status: wish.status }) };
    case 'publish':
      return { method: 'POST', path: `${path}/publish` };
    case 'delete':
      return { method: 'DELETE', path };
  }
}

/** Always the same for an external id, so that most pushes need no download. */
const pictureOf = (pictures: readonly string[], externalId: string): string[] =>
  pictures.length === 0 ? [] : [pictures[Number(externalId.slice(-3)) % pictures.length] ?? ''];

/** Only what has pictures goes to the marketplace. */
export const itemBody = ({ title, price }: Extract<Wish, { kind: 'put' }>, imageUrls: readonly string[]): object => ({
  title,
  price,
  imageUrls,
  domain: { domain: 'toys' },
  autoPublishTradera: imageUrls.length > 0,
});
