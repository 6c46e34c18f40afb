import { randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import { createEncryption } from '../../platform/security/encryption.ts';
import { findMarketplaceConnection } from '../../features/listings/store/marketplace-connections.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import { setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import { watchTokens } from '../../features/listings/watch-tokens.ts';
import { later } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

const store = withDatabase(test);
const encryption = createEncryption([{ id: 'test', secret: randomBytes(32).toString('base64') }]);
const dayMs = 86_400_000;
const expiresAt = later(100 * dayMs);
const before = (days: number): Date => new Date(expiresAt.getTime() - days * dayMs);

async function connected(end: Date | null): Promise<AccountId> {
  const account = accountId(randomUUID());
  const scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } } as const;
  const context = { store: store(), encryption, confirmCredential: () => Promise.resolve(), now: () => later(0) };
  const user = { marketplaceUserId: randomUUID(), token: 'a-token' };
  await setMarketplaceConnection(context, scope, { ...user, ...(end && { expiresAt: end.toISOString() }) });
  return account;
}

const watchAt = (at: Date) => watchTokens({ watch: createMarketplaceWatch(store()), now: () => at });
const stateOf = async (account: AccountId) => (await findMarketplaceConnection(store(), account))?.state;
const noticesOf = async (account: AccountId) =>
  (await store().connection.collection('mails').find({ queue: account }).toArray()).map(
    (row) => row['mail'].notice.what,
  );

test('the end of a token is told two weeks ahead, once for each end, and the connection ends with it', async (t) => {
  const [account, endless] = [await connected(expiresAt), await connected(null)];
  await watchAt(before(15));
  t.deepEqual(await noticesOf(account), []);
  for (const days of [14, 13, 1]) await watchAt(before(days));
  t.deepEqual(await noticesOf(account), ['token_expires']);
  t.is(await stateOf(account), 'connected');
  await watchAt(before(0));
  await watchAt(before(-1));
  t.is(await stateOf(account), 'expired');
  t.deepEqual(await noticesOf(account), ['token_expires', 'token_expired']);
  t.is(await stateOf(endless), 'connected');
  t.deepEqual(await noticesOf(endless), []);
});
