import { setTimeout as pause } from 'node:timers/promises';
import type { ItemRow } from '../../../features/items/store/item-row.ts';
import type { ApiAccount } from '../../../test/support/set-up-account.ts';
import type { JsonAttack } from '../../processes/json-attacker.ts';
import { itemBody, startPrice } from '../../support/catalogue.ts';
import type { ForkedProcess } from '../../support/forked-process.ts';
import { putAll } from '../../support/load.ts';
import type { Product } from '../../support/product.ts';

/** What an attack is made with, and against. */
export interface Target {
  readonly product: Product;
  readonly attacker: ApiAccount;
  readonly imageHost: string;
  readonly stranger: ForkedProcess<unknown>;
  readonly plan: AttacksPlan;
}

export interface AttacksPlan {
  /** Of each phase; attacks by images last until all of them are decided. */
  readonly seconds: number;
  /** Under way at once; a multiple of {@link imagesEach}. */
  readonly images: number;
}

/** Ends by itself, and says what became of it. */
export type Attack = (target: Target) => Promise<string>;

const imagesEach = 10;
/** A tenth of it filled an API process before bodies were bounded. */
const jsonPerSecondEach = 100;

export const quiet: Attack = ({ plan }) => pause(plan.seconds * 1_000, 'nothing');

/** As many calls as an attack by JSON makes, and nothing in them that costs more than others. */
export const strangers = json({ form: 'small', addresses: 'many' });

export const attacks: Readonly<Record<string, Attack>> = {
  'SVG behind a signature of AVIF': images('polyglot', 'failed'),
  'AVIF of 50 megapixels in 2 KB': images('avif-7071', 'failed'),
  'AVIF of 16 megapixels in 1 KB': images('avif-4000', 'hosted'),
  'deep JSON, packed, of one address': json({ form: 'packed', addresses: 'one' }),
  'deep JSON, packed, of many addresses': json({ form: 'packed', addresses: 'many' }),
  'deep JSON as large as is taken, of many addresses': json({ form: 'bare', addresses: 'many' }),
  'as many small bodies, of many addresses': strangers,
};

function json(wish: Pick<JsonAttack, 'form' | 'addresses'>): Attack {
  return async ({ stranger, plan: { seconds } }) =>
    JSON.stringify(await stranger.ask('attack', { ...wish, seconds, perSecondEach: jsonPerSecondEach }));
}

const patienceMs = 15 * 60_000;
let pushed = 0;

/** Items with so many images of a kind, again as soon as the last of them is decided. */
function images(kind: string, expected: 'hosted' | 'failed'): Attack {
  return async (target) => {
    const endsAt = performance.now() + target.plan.seconds * 1_000;
    let count = 0;
    for (; performance.now() < endsAt; count += target.plan.images) await playImages(target, kind, expected);
    return `${count} images, all ${expected}`;
  };
}

async function playImages(target: Target, kind: string, expected: 'hosted' | 'failed'): Promise<void> {
  const { product, attacker, imageHost, plan } = target;
  const names = Array.from({ length: plan.images / imagesEach }, () => `${kind}-${(pushed += 1)}`);
  const pushes = names.map((name) => ({
    path: `/integration/v1/items/${name}`,
    body: JSON.stringify({
      ...itemBody(startPrice),
      imageUrls: Array.from({ length: imagesEach }, (_, n) => `${imageHost}/${kind}/${name}-${n}`),
    }),
  }));
  await putAll({ origin: product.apiUrl, headers: attacker.headers, connections: 4 }, pushes);
  const items = product.foundation.store.connection.collection<ItemRow>('items');
  const ours = { accountId: attacker.id, externalId: { $in: names } };
  const deadline = performance.now() + patienceMs;
  while ((await items.findOne({ ...ours, 'imageSet.images.state': 'pending' })) !== null) {
    if (performance.now() > deadline)
      throw new Error(`images of ${kind} are not decided in ${patienceMs / 60_000} minutes`);
    await pause(200);
  }
  const other = await items.findOne({ ...ours, 'imageSet.images.state': { $ne: expected } });
  if (other !== null) throw new Error(`not every ${kind} is ${expected}: ${JSON.stringify(other.imageSet)}`);
}
