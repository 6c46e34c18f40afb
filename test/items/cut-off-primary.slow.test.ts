import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { settledItem } from '../../bench/support/catalogue.ts';
import { accountId, itemId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { freePort } from '../../embedded/choose-port.ts';
import { theService } from '../../features/items/rules/journal.ts';
import { createEncryption } from '../../platform/security/encryption.ts';
import { insertAccount } from '../../features/accounts/store/accounts.ts';
import { openStore, type StoreConnection } from '../../platform/database/connection.ts';
import { createItemLineStore } from '../../features/items/store/item-lines.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { connectMarketplace } from '../../features/listings/store/marketplace-connections.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { ensureSettings, setSettingsUrl } from '../../features/webhooks/store/webhook-settings.ts';
import { applyLines } from '../../features/items/apply-lines.ts';
import { createItemWrites } from '../support/item-writes.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import { removeMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import { setWebhookUrl } from '../../features/webhooks/webhook-settings.ts';
import {
  askMember,
  startReplicaSet,
  withMember,
  type Member,
  type ReplicaSet,
} from '../../verification/chaos/world/replica-set.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { until } from '../support/until.ts';
import { present } from '../support/clock.ts';

let set: ReplicaSet;
test.before(async () => {
  const folder = mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? '', 'set-'));
  const binary = process.env['ITEMBRIDGE_MONGOD_BIN'] ?? '';
  set = await startReplicaSet({ binary, folder, anyPort: freePort, electionTimeoutMs: 6_000 });
});
test.after.always(() => set.stop());

const encryption = createEncryption([{ id: 'test', secret: Buffer.alloc(32, 7).toString('base64') }]);
const scopeOf = (account: Item['accountId']): Scope => ({
  accountId: account,
  actingAccountId: account,
  credential: { kind: 'system' },
});

async function open(t: ExecutionContext, uri: string) {
  const store = await openStore({ uri, database: 'cut-off' });
  t.teardown(() => store.close());
  const parts = { confirmCredential: () => Promise.resolve(), newItemId: () => itemId(randomUUID()) };
  const ring = () => undefined;
  const surroundings = { ...parts, ring, now: present, runExclusive: createKeyedMutex() };
  const items = createItemStore(store);
  const writes = createItemWrites({ ...surroundings, items });
  const context = { store, ...parts, now: present };
  return { store, items, writes, context, lineParts: { ...surroundings, lines: createItemLineStore(store) } };
}

/** Two APIs: what one changes through the new primary, the other still sees as it was through the old one. */
test.serial(
  'an API beside a primary that is cut off answers nothing by what it can only have read there',
  async (t) => {
    t.timeout(180_000);
    const account = accountId(randomUUID());
    const scope = scopeOf(account);
    const old = await until('there is a primary', () => set.primary());
    const beside = await open(t, `mongodb://127.0.0.1:${old.port}/?directConnection=true`);
    const other = await open(t, set.uri);
    await other.store.ensureIndexes();
    const made = ['put', 'price', 'status', 'line'].map((externalId) => settledItem(account, externalId));
    for (const item of made) await other.items.insert(item, { isAccepted: true });
    await furnish(other.store, account);
    await other.writes.changeStatus(scope, { externalId: 'status', status: 'not_listed' });

    const heal = set.cutOff(old);
    t.teardown(heal);
    const [next = old] = set.members.filter((member) => member !== old);
    await until('another one is primary', async () => {
      await askMember(next, { replSetStepUp: 1 }).catch(() => undefined);
      return set.primary();
    });
    for (const { externalId } of made) {
      await until('the new primary has the item', () => other.items.findCurrent(account, externalId));
      t.is((await other.writes.changePrice(scope, { externalId, priceOre: 999_900 })).outcome, 'updated');
    }

    await inTransaction(other.store, async (session) => {
      const now = present();
      await setSettingsUrl(other.store, account, { url: 'https://erp.example/', now, session });
      await connectMarketplace(other.store, account, {
        marketplaceUserId: '1',
        tokenEncrypted: 'x',
        tokenExpiresAt: null,
        now,
        session,
      });
    });

    const context = { ...beside.context, addressPolicy: { allowPrivateNetworks: false }, encryption };
    const [{ content } = settledItem(account, '')] = made;
    const request = anItemRequest(content);
    t.is((await beside.items.findCurrent(account, 'put'))?.content.priceOre, content.priceOre);
    const answers = Promise.allSettled([
      beside.writes.upsert(scope, { externalId: 'put', request }),
      beside.writes.changePrice(scope, { externalId: 'price', priceOre: content.priceOre }),
      beside.writes.changeStatus(scope, { externalId: 'status', status: 'not_listed' }),
      applyLines(beside.lineParts, scope, { lines: [{ line: 1, externalId: 'line', request }] }),
      setWebhookUrl(context, scope, null),
      removeMarketplaceConnection(context, scope),
    ]);
    await until('the old primary has stepped down', async () => !(await isPrimary(old).catch(() => true)));
    // It knows no other member, so nothing else ends its transactions.
    await beside.store.connection.close(true);
    t.deepEqual(
      (await answers).filter(({ status }) => status === 'fulfilled'),
      [],
    );
  },
);

const isPrimary = async ({ port }: Member): Promise<boolean> =>
  (await withMember(`127.0.0.1:${port}`, (admin) => admin({ hello: 1 })))['isWritablePrimary'] === true;

/** What an account has whose calls below find nothing to do. */
async function furnish(store: StoreConnection, account: Item['accountId']): Promise<void> {
  const now = present();
  const row = { _id: account, email: `${account}@example.org`, name: 'A', passwordHash: 'x', createdAt: now };
  await inTransaction(store, (session) => insertAccount(store, row, session));
  const secret = { secretEncrypted: 'x', secretHint: 'x' };
  const details = { origin: null };
  const audit = { accountId: account, actor: theService, kind: 'webhook_url_changed', at: now, details } as const;
  await ensureSettings(store, account, { secret, now, audit });
}
