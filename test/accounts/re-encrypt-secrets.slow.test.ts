import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { pino } from 'pino';
import { programArguments } from '../../embedded/program-arguments.ts';
import { accountId, endpointId, type AccountId } from '../../features/rules/ids.ts';
import { secretContexts } from '../../features/rules/secret-contexts.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { createEncryption, type EncryptionKey } from '../../platform/security/encryption.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { encryptedFields, listEncrypted, replaceEncrypted } from '../../features/accounts/store/encrypted-fields.ts';
import { answerOnce } from '../../features/accounts/answer-once.ts';
import { setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import { createWebhookOnce } from '../../features/webhooks/register-webhook.ts';
import { rotateWebhookSecret } from '../../features/webhooks/manage-webhooks.ts';
import { readWebhookSettings } from '../../features/webhooks/webhook-settings.ts';
import { reEncryptSecrets } from '../../features/accounts/re-encrypt-secrets.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { testMongodbUri } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';

const aKey = (id: string): EncryptionKey => ({ id, secret: randomBytes(32).toString('base64') });
const [oldKey, newKey] = [aKey('k1'), aKey('k2')];
const [old, rotated, onlyNew] = [
  createEncryption([oldKey]),
  createEncryption([newKey, oldKey]),
  createEncryption([newKey]),
];

let store: StoreConnection;
test.beforeEach(async () => {
  store = await openTestStore();
});
test.afterEach.always(async () => {
  await closeTestStore(store);
});

const contextWith = (encryption: typeof old) => ({
  store,
  encryption,
  logger: pino({ level: 'silent' }),
  now: present,
  newId: randomUUID,
  addressPolicy: { allowPrivateNetworks: false },
  confirmCredential: () => Promise.resolve(),
});

const scopeOf = (id: AccountId): Scope => ({ accountId: id, actingAccountId: id, credential: { kind: 'system' } });
const wish = { url: 'https://erp.example.se/hooks' };

/** One ciphertext of every kind, made with the old key. */
async function fill() {
  const context = contextWith(old);
  const scope = scopeOf(accountId(randomUUID()));
  const request = { key: 'k', target: ['post', '/x'], fingerprint: () => 'f' };
  const once = await answerOnce(context, scope, {
    ...request,
    work: async (given) => ({ status: 201, body: await createWebhookOnce(context, given, wish) }),
  });
  const settings = await readWebhookSettings(context, scope);
  await setMarketplaceConnection(context, scope, { marketplaceUserId: 'u1', token: 'a-marketplace-token' });
  return { scope, settings, once, request, webhook: once.answer.body as { id: string; secret: string } };
}

const sum = (counts: Awaited<ReturnType<typeof reEncryptSecrets>>) => ({
  found: counts.map(({ byKeyId }) => byKeyId),
  reEncrypted: counts.reduce((total, { reEncrypted }) => total + reEncrypted, 0),
});

test.serial('every field that holds a ciphertext is known here', async (t) => {
  const files = (await readdir('features', { recursive: true })).filter((file) => /store.+[.]ts$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join('features', file), 'utf8')));
  const declared = texts.flatMap((text) =>
    [...text.matchAll(/^ {4}(\w+Encrypted): \{ type/gm)].map(([, name]) => name),
  );
  t.deepEqual(declared.toSorted(), encryptedFields.map(({ field }) => field).toSorted());
});

// specification: secrets-are-encrypted-and
test.serial('everything is encrypted with the newest key, and reads the same when the old one is gone', async (t) => {
  const { scope, webhook, settings, once, request } = await fill();
  const dry = await reEncryptSecrets({ store, encryption: rotated }, { dryRun: true });
  t.deepEqual(sum(dry), { found: [{ k1: 1 }, { k1: 1 }, { k1: 1 }, { k1: 1 }], reEncrypted: 0 });
  t.is(sum(await reEncryptSecrets({ store, encryption: rotated })).reEncrypted, 4);
  const again = await reEncryptSecrets({ store, encryption: onlyNew });
  t.deepEqual(sum(again), { found: [{ k2: 1 }, { k2: 1 }, { k2: 1 }, { k2: 1 }], reEncrypted: 0 });
  const read = async (collection: string, field: string) =>
    String((await store.connection.collection(collection).findOne({}))?.[field]);
  const { accountId: account } = scope;
  const endpointSecret = await read('webhook_endpoints', 'secretEncrypted');
  t.is(onlyNew.decrypt(endpointSecret, `webhook-endpoint:${webhook.id}`), webhook.secret);
  const settingsSecret = await read('webhook_settings', 'secretEncrypted');
  t.is(onlyNew.decrypt(settingsSecret, secretContexts.webhookSettings(account)), settings.webhookSecret);
  const token = await read('marketplace_connections', 'tokenEncrypted');
  t.is(onlyNew.decrypt(token, secretContexts.marketplaceToken(account)), 'a-marketplace-token');
  const work = () => Promise.reject(new Error('must not be done again'));
  const replayed = await answerOnce(contextWith(onlyNew), scope, { ...request, work });
  t.deepEqual(replayed, { answer: once.answer, isReplayed: true });
});

test.serial('a secret that was rotated since it was read stays the rotated one', async (t) => {
  const { scope, webhook } = await fill();
  const [field] = encryptedFields;
  const [seen] = await listEncrypted(store, field, { after: '', limit: 1 });
  if (seen === undefined) throw new Error('not filled');
  const { secret } = await rotateWebhookSecret(contextWith(rotated), scope, endpointId(webhook.id));
  t.false(await replaceEncrypted(store, field, { ...seen, replacement: 'the old one again' }));
  const [now] = await listEncrypted(store, field, { after: '', limit: 1 });
  t.is(onlyNew.decrypt(now?.encrypted ?? '', `webhook-endpoint:${webhook.id}`), secret);
});

// specification: secrets-are-encrypted-and
test.serial('while secrets are rotated all the time, none is lost and all end with the newest key', async (t) => {
  const { scope, webhook } = await fill();
  const context = contextWith(rotated);
  let secret = '';
  const rotating = (async () => {
    for (let n = 0; n < 20; n += 1) ({ secret } = await rotateWebhookSecret(context, scope, endpointId(webhook.id)));
  })();
  for (let n = 0; n < 10; n += 1) await reEncryptSecrets({ store, encryption: rotated });
  await rotating;
  const [stored] = await listEncrypted(store, encryptedFields[0], { after: '', limit: 1 });
  t.is(onlyNew.decrypt(stored?.encrypted ?? '', `webhook-endpoint:${webhook.id}`), secret);
});

test.serial('what no given key can read is counted by its key and left as it is', async (t) => {
  await fill();
  const before = await store.connection.collection('webhook_endpoints').findOne({});
  const counts = await reEncryptSecrets({ store, encryption: onlyNew });
  t.deepEqual(
    counts.map(({ byKeyId, unreadable, reEncrypted }) => ({ byKeyId, unreadable, reEncrypted })),
    Array.from({ length: 4 }, () => ({ byKeyId: { k1: 1 }, unreadable: 1, reEncrypted: 0 })),
  );
  t.deepEqual(await store.connection.collection('webhook_endpoints').findOne({}), before);
});

test.serial('more than a batch: all of them, each once', async (t) => {
  const rows = Array.from({ length: 450 }, () => {
    const id = randomUUID();
    return { _id: id as never, tokenEncrypted: old.encrypt('x', `marketplace-token:${id}`) };
  });
  await store.connection.collection('marketplace_connections').insertMany(rows);
  await store.connection
    .collection('marketplace_connections')
    .insertOne({ _id: 'removed' as never, tokenEncrypted: '' });
  t.is(sum(await reEncryptSecrets({ store, encryption: rotated })).reEncrypted, 450);
});

const run = promisify(execFile);
const command = async (environment: Record<string, string>, ...args: string[]) => {
  const database = { MONGODB_URI: testMongodbUri(), MONGODB_DATABASE: store.connection.name };
  const env = { PATH: process.env['PATH'], ...database, ...environment };
  const all = [...programArguments('bin/itembridge.ts'), 're-encrypt-secrets', ...args];
  return run(process.execPath, all, { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    },
  );
};

// specification: secrets-are-encrypted-and
test.serial('the command counts, re-encrypts, and says what still depends on an older key', async (t) => {
  t.timeout(240_000);
  await fill();
  const keys = `k2:${newKey.secret},k1:${oldKey.secret}`;
  const dry = await command({ ENCRYPTION_KEYS: keys }, '--dry-run');
  t.is(dry.code, 0, dry.output);
  t.regex(dry.output, /webhook_endpoints: 1 of key k1\n/);
  t.regex(dry.output, /4 still depend on other keys than k2: k1\./);
  const file = join(temporaryFolder('keys'), 'encryption_keys');
  await writeFile(file, `${keys}\n`);
  const done = await command({ ENCRYPTION_KEYS_FILE: file });
  t.regex(done.output, /marketplace_connections: 1 of key k1 \(1 re-encrypted\)\n/);
  t.regex(done.output, /All is encrypted with key k2\./);
  const unreadable = await command({ ENCRYPTION_KEYS: `k1:${oldKey.secret}` });
  t.is(unreadable.code, 1);
  t.regex(unreadable.output, /1 of key k2 \(1 UNREADABLE\)/);
  const without = await command({});
  t.is(without.code, 1);
  t.regex(without.output, /ENCRYPTION_KEYS/);
  for (const { output } of [dry, done, unreadable, without]) t.false(output.includes(oldKey.secret));
});
