import { request } from 'undici';
import type { ApiAccount } from '../../../test/support/set-up-account.ts';
import { until } from '../../../test/support/until.ts';
import type { Arrival } from '../../processes/receiver.ts';
import { itemBody, startPrice } from '../../support/catalogue.ts';
import { atPace, sharedNow } from '../../support/pace.ts';
import type { ForkedProcess } from '../../support/forked-process.ts';
import type { Product } from '../../support/product.ts';

/** Another tenant: pushes at a steady pace, and has an endpoint that answers at once. */
export interface Victim {
  readonly product: Product;
  readonly account: ApiAccount;
  readonly receiver: ForkedProcess<unknown>;
  readonly imageHost: string;
}

/** Times in ms. */
export interface Felt {
  readonly puts: readonly number[];
  /** From the push of an item to the arrival of its event. */
  readonly deliveries: readonly number[];
  /** From the push of an item with one image to the event that says it is hosted. */
  readonly images: readonly number[];
  readonly health: readonly number[];
  readonly seconds: number;
  /** Events that are owed for what was accepted, and those that came. */
  readonly owed: number;
  readonly arrived: number;
}

const pushesPerSecond = 10;
/** One push in so many has an image. */
const imageEvery = 20;
const patienceMs = 10 * 60_000;
let phases = 0;

/** What the victim notices until `over`. Waits for the events that are on their way by then. */
export async function watchVictim(victim: Victim, over: AbortSignal): Promise<Felt> {
  const { product, receiver } = victim;
  phases += 1;
  await receiver.ask('clear');
  const name = (turn: number): string => `watched-${phases}-${turn}`;
  const begunAt = new Map<string, number>();
  const isOver = (): boolean => over.aborted;
  const startedAt = sharedNow();
  const [puts, health] = await Promise.all([
    atPace(pushesPerSecond, isOver, (turn) => {
      begunAt.set(name(turn), sharedNow());
      return push(victim, name(turn), turn % imageEvery === 0);
    }),
    atPace(pushesPerSecond, isOver, () => call(`${product.apiUrl}/healthz`, { expected: 200 })),
  ]);
  const seconds = (sharedNow() - startedAt) / 1_000;
  const owed = puts.length + Math.ceil(puts.length / imageEvery);
  await until('all events of the victim', async () => (await receiver.ask<number>('count')) >= owed, patienceMs).catch(
    () => undefined,
  );
  const arrivals = await receiver.ask<Arrival[]>('arrivals');
  const tookOf = (wanted: string): number[] =>
    arrivals
      .filter(([, , type, externalId]) => type === wanted && begunAt.has(externalId))
      .map(([, at, , externalId]) => at - (begunAt.get(externalId) ?? Number.NaN));
  const [deliveries, images] = [tookOf('item.created'), tookOf('item.images_ready')];
  return { puts, health, deliveries, images, seconds, owed, arrived: deliveries.length + images.length };
}

const push = ({ product, account, imageHost }: Victim, name: string, hasImage: boolean): Promise<void> =>
  call(`${product.apiUrl}/integration/v1/items/${name}`, {
    expected: 202,
    method: 'PUT',
    headers: { ...account.headers, 'x-forwarded-for': '203.0.113.1' },
    body: JSON.stringify({ ...itemBody(startPrice), imageUrls: hasImage ? [`${imageHost}/photo/${name}`] : [] }),
  });

type Wish = Omit<NonNullable<Parameters<typeof request>[1]>, 'method'> & { method?: 'PUT'; expected: number };

async function call(url: string, { expected, ...wish }: Wish): Promise<void> {
  const answer = await request(url, wish);
  const text = await answer.body.text();
  if (answer.statusCode !== expected) throw new Error(`${url} was answered ${answer.statusCode}: ${text}`);
}
