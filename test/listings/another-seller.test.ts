import { randomBytes, randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { accountId, itemId, type AccountId } from '../../features/rules/ids.ts';
import { createEncryption } from '../../platform/security/encryption.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import {
  findMarketplaceConnection,
  removeMarketplaceConnection,
} from '../../features/listings/store/marketplace-connections.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import { setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import { aLiveItem, later } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

const day = 86_400_000;
const store = withDatabase(test);
const encryption = createEncryption([{ id: 'test', secret: randomBytes(32).toString('base64') }]);

function connect(account: AccountId, marketplaceUserId: string, afterMs = 0): Promise<unknown> {
  const scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } } as const;
  const confirmCredential = (): Promise<void> => Promise.resolve();
  const context = { store: store(), encryption, confirmCredential, now: () => later(afterMs) };
  return setMarketplaceConnection(context, scope, { marketplaceUserId, token: 'seller-token' });
}

/** Connected as 4711 at noon, with an auction up. */
async function aSeller(): Promise<AccountId> {
  const account = accountId(randomUUID());
  await connect(account, '4711');
  await createItemStore(store()).insert(aLiveItem({ id: itemId(randomUUID()), accountId: account }));
  return account;
}

async function isRefused(t: ExecutionContext, account: AccountId, afterMs = 0): Promise<void> {
  const refusal = await t.throwsAsync(connect(account, '4712', afterMs), { instanceOf: Refusal });
  t.is(refusal?.code, 'CONFLICT');
  t.is((await findMarketplaceConnection(store(), account))?.marketplaceUserId, '4711');
}

test('while auctions are up nobody connects as another marketplace user, not even long after', async (t) => {
  const account = await aSeller();
  await isRefused(t, account);
  await isRefused(t, account, 30 * day);
  await t.notThrowsAsync(connect(account, '4711', 30 * day));
});

test('without an auction up any marketplace user can be connected', async (t) => {
  const account = accountId(randomUUID());
  await connect(account, '4711');
  await t.notThrowsAsync(connect(account, '4712'));
});

for (const [name, leave] of [
  ['disconnected', (account: AccountId) => removeMarketplaceConnection(store(), account, { now: later(0) })],
  [
    'expired',
    async (account: AccountId) => {
      const row = await findMarketplaceConnection(store(), account);
      await createMarketplaceWatch(store()).markExpired(account, row?.tokenEncrypted ?? '', later(0));
    },
  ],
] as const) {
  test(`another marketplace user can be connected when the first was ${name} for fourteen days, not before`, async (t) => {
    const account = await aSeller();
    await leave(account);
    await isRefused(t, account, 14 * day - 1);
    await t.notThrowsAsync(connect(account, '4712', 14 * day + 1));
  });
}
