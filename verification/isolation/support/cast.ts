import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ApiWorld, TestAccount } from '../../../test/support/api-world.ts';
import { belongingsOf, rowsNaming, type Belongings } from './belongings.ts';
import { furnish, makeDeliveries, sellAuction } from './furnish.ts';
import { aPerson, aReseller, join, leave, must, signIn, type Reseller } from './people.ts';
import { canary, tracesIn } from './traces.ts';

/** An attacker and somebody exactly like it: what the one is told about what is there, the other is told about what is not. */
export interface Twins<Account extends TestAccount = TestAccount> {
  readonly one: Account;
  readonly other: Account;
}

export interface Victim {
  readonly belongings: Belongings;
  /** What nobody else may be told. */
  readonly secrets: ReadonlySet<string>;
}

/** Everybody who is needed to try every way from one account into another. */
export interface Cast {
  /** A reseller with a page and members. */
  readonly victim: TestAccount & { readonly expiredToken: string; readonly slug: string } & UnusableKeys;
  /** Member of the victim; it was the attacking resellers' member before. */
  readonly leaver: TestAccount & { readonly reference: string; readonly formerReference: string };
  /** Member of the first attacking reseller. */
  readonly member: TestAccount;
  /** Has everything too, and calls for itself. */
  readonly owner: Reseller;
  readonly strangers: Twins;
  readonly resellers: Twins<Reseller>;
  /** Members of the victim. */
  readonly siblings: Twins;
  /** The victim's own sandbox, and another account's. */
  readonly sandboxes: Twins;
  /** Connections that arrived where the victims' webhooks go. */
  readonly arrived: () => number;
  readonly close: () => Promise<void>;
}

/** Keys of one account that do not count, or not for everything. */
interface UnusableKeys {
  readonly revokedKey: string;
  readonly expiredKey: string;
  /** Taken from an address that no test has. */
  readonly elsewhereKey: string;
  /** With a single scope each. */
  readonly scopedKeys: readonly { readonly scope: string; readonly apiKey: string }[];
}

const sessionLifetimeMs = 15 * 60_000;

export async function assemble(world: ApiWorld): Promise<Cast> {
  const receiver = await startReceiver();
  const { receiverUrl } = receiver;
  const before = await aReseller(world);
  world.pass(sessionLifetimeMs + 60_000);
  const victim = { ...(await signIn(world, before)), expiredToken: before.token };
  const [strangers, resellers, siblings] = [
    { one: await aPerson(world), other: await aPerson(world) },
    { one: await aReseller(world), other: await aReseller(world) },
    { one: await aPerson(world), other: await aPerson(world) },
  ];
  const [leaver, member, otherMember, owner] = [
    await aPerson(world),
    await aPerson(world),
    await aPerson(world),
    await aReseller(world),
  ];
  const formerReference = await join(world, resellers.one, leaver);
  await leave(world, leaver);
  const reference = await join(world, victim, leaver);
  await join(world, resellers.one, member);
  await join(world, resellers.other, otherMember);
  for (const sibling of Object.values(siblings)) await join(world, victim, sibling);
  await join(world, owner, await aPerson(world));
  for (const account of [victim, owner]) await furnish(world, account, { receiverUrl, isReseller: true });
  for (const account of [leaver, member]) await furnish(world, account, { receiverUrl });
  await makeDeliveries(world, victim, 'members');
  const sandboxes = { one: await aSandbox(world, victim), other: await aSandbox(world, await aPerson(world)) };
  // The sandbox's marketplace gives numbers that the real one has given, too.
  const transactionId = canary();
  await sellAuction(world, victim, { transactionId });
  await sellAuction(world, sandboxes.one, { transactionId, isSandbox: true });
  await sellAuction(world, sandboxes.other, { transactionId: canary(), isSandbox: true });
  return {
    victim: { ...victim, ...(await unusableKeys(world, victim)) },
    leaver: { ...leaver, reference, formerReference },
    member,
    owner,
    strangers,
    resellers,
    siblings,
    sandboxes,
    arrived: receiver.arrived,
    close: receiver.close,
  };
}

/** An account's test key, and the account that it acts as. */
async function aSandbox(world: ApiWorld, owner: TestAccount): Promise<TestAccount> {
  const body = { mode: 'test' };
  const { apiKey } = (await must(world, 'POST /integration/api-keys/generate', { token: owner.token, body })).body;
  const { keys } = (await must(world, 'GET /integration/api-keys', { token: owner.token })).body;
  return { ...owner, id: keys[0].accountId, apiKey };
}

async function unusableKeys(world: ApiWorld, { token }: TestAccount): Promise<UnusableKeys> {
  const generate = async (body: object): Promise<string> =>
    (await must(world, 'POST /integration/api-keys/generate', { token, body })).body.apiKey;
  const revokedKey = await generate({});
  const { keys } = (await must(world, 'GET /integration/api-keys', { token })).body;
  await must(world, `DELETE /integration/api-keys/${keys[0].id}`, { token });
  const expiredKey = await generate({ expiresAt: new Date(world.now().getTime() + 60_000).toISOString() });
  world.pass(60_000);
  const scopedKeys = [];
  for (const scope of ['items:read', 'orders:read'])
    scopedKeys.push({ scope, apiKey: await generate({ scopes: [scope] }) });
  return { revokedKey, expiredKey, scopedKeys, elsewhereKey: await generate({ addresses: ['203.0.113.7'] }) };
}

/** Takes connections and counts them. */
async function startReceiver() {
  let count = 0;
  const server: Server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    receiverUrl: `https://127.0.0.1:${String(port)}`,
    arrived: () => count,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export async function asVictim(world: ApiWorld, account: TestAccount): Promise<Victim> {
  const belongings = await belongingsOf(world, account);
  const rows = await rowsNaming(world, account);
  // Rows of idempotency keys hold nothing but hashes of what was sent, and who sends the same has the same.
  const telling = rows.filter(({ collection }) => collection !== 'idempotency_keys');
  const secrets = new Set(telling.flatMap(({ text }) => [...tracesIn(text)]));
  const sums = await must(world, 'GET /partner/analytics', { token: account.token });
  for (const trace of [account.apiKey, ...tracesIn(sums.text)]) secrets.add(trace);
  return { belongings, secrets };
}

/** What an attacker may know: whatever stands in rows that name it. */
export async function knownTo(world: ApiWorld, account: TestAccount): Promise<ReadonlySet<string>> {
  const rows = await rowsNaming(world, account);
  return new Set([account.apiKey, ...rows.flatMap(({ text }) => [...tracesIn(text)])]);
}
