import { accountId } from '../../../features/rules/ids.ts';
import { findSubscription } from '../../../features/partner/store/subscriptions.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { ApiWorld, TestAccount } from '../../../test/support/api-world.ts';
import { awaitMajority } from '../../../test/support/open-test-store.ts';
import { sendDueMails, tokenIn } from '../../../test/support/sent-mails.ts';
import { offerRevocation } from '../../../features/accounts/account-access.ts';
import { aRefreshToken, must } from './people.ts';
import { canary } from './traces.ts';
import { namesAccount, rowText } from './write-watch.ts';

/** Identifiers of everything an account has, as an attacker may have come by them. */
export interface Belongings {
  readonly account: TestAccount;
  /** One item in each state. */
  readonly externalIds: readonly string[];
  /** The one whose publication was given up. */
  readonly failedExternalId: string;
  readonly itemIds: readonly string[];
  readonly keyIds: readonly string[];
  readonly endpointIds: readonly string[];
  readonly attemptIds: readonly string[];
  readonly deliveryIds: readonly string[];
  readonly recoveryIds: readonly string[];
  readonly bulkSyncIds: readonly string[];
  readonly eventIds: readonly string[];
  readonly orderIds: readonly string[];
  readonly slugs: readonly string[];
  readonly memberIds: readonly string[];
  readonly invitationIds: readonly string[];
  /** Accounts that ask to become its members. */
  readonly askingIds: readonly string[];
  /** What waits for its confirmation, as it was shown. */
  readonly waiting: { readonly memberUserId: string; readonly orders: number; readonly sales: number };
  /** References under which the account is some reseller's member, and those of its own members. */
  readonly references: readonly string[];
  readonly imageHashes: readonly string[];
  readonly marketplaceUserId: string;
  /** Of logins at the marketplace that it began. */
  readonly marketplaceLoginIds: readonly string[];
  /** Cursors that were issued to it. */
  readonly feedCursor: string;
  readonly listCursor: string;
  readonly orderCursor: string;
  readonly logCursor: string;
  readonly callCursor: string;
  /** Of a call with its key. */
  readonly requestId: string;
  readonly customerId: string;
  readonly sessionIds: readonly string[];
  readonly refreshToken: string;
  /** Of a session that it has ended. */
  readonly endedRefreshToken: string;
  /** Of the links of two mails that it has not opened yet: to a new password, and to another address. */
  readonly resetToken: string;
  readonly confirmToken: string;
  /** As a confirmation of its address would have shown it. */
  readonly revocationToken: string;
}

type Row = Readonly<Record<string, unknown>>;

export async function belongingsOf(world: ApiWorld, account: TestAccount): Promise<Belongings> {
  const rows = (collection: string, filter: Row): Promise<Row[]> =>
    world.store.connection.collection<Row>(collection).find(filter).sort({ createdAt: 1, _id: 1 }).toArray();
  const own = (collection: string) => rows(collection, { accountId: account.id });
  const values = (list: readonly Row[], name: string): string[] => [...new Set(list.map((row) => String(row[name])))];
  const [items, deliveries, profiles, members, memberships, connections] = await Promise.all([
    own('items'),
    own('deliveries'),
    rows('profiles', { _id: account.id }),
    rows('member_connections', { resellerAccountId: account.id }),
    rows('member_connections', { memberAccountId: account.id }),
    rows('marketplace_connections', { _id: account.id }),
  ]);
  const cursorFrom = async (path: string): Promise<string> => {
    const { apiKey, token } = account;
    const credential = path.startsWith('/partner') ? { token } : { apiKey };
    return String((await must(world, `GET ${path}?limit=1`, credential)).body.nextCursor);
  };
  const links = await linksOf(world, account);
  await world.served.parts.requestRecorder?.settle();
  await awaitMajority(world.store);
  const endedRefreshToken = await aRefreshToken(world, account);
  await must(world, 'POST /auth/logout', { headers: { cookie: `refresh_token=${endedRefreshToken}` } });
  const subscription = await findSubscription(world.store, accountId(account.id));
  return {
    account,
    externalIds: values(items, 'externalId'),
    failedExternalId: String(items.find((row) => row['marketplaceStatus'] === 'sync_error')?.['externalId']),
    itemIds: values(items, '_id'),
    keyIds: values(await own('api_keys'), '_id'),
    endpointIds: values(await own('webhook_endpoints'), '_id'),
    attemptIds: values(await own('delivery_attempts'), '_id'),
    deliveryIds: values(deliveries, '_id'),
    recoveryIds: values(await own('webhook_recoveries'), '_id'),
    bulkSyncIds: values(await rows('bulk_syncs', { actingAccountId: account.id }), '_id'),
    eventIds: values(deliveries, 'eventId'),
    orderIds: values(await own('orders'), '_id'),
    slugs: values(profiles, 'slug'),
    memberIds: values(members, 'memberAccountId'),
    invitationIds: values(await rows('member_invitations', { resellerAccountId: account.id }), '_id'),
    askingIds: values(await rows('join_requests', { resellerAccountId: account.id }), '_id'),
    waiting: await waitingOf(world, account),
    references: [...values(memberships, 'externalId'), ...values(members, 'externalId')],
    imageHashes: values(await own('image_records'), 'contentHash'),
    marketplaceUserId: String(connections[0]?.['marketplaceUserId']),
    marketplaceLoginIds: values(await own('marketplace_logins'), '_id'),
    feedCursor: await cursorFrom('/integration/events'),
    listCursor: await cursorFrom('/integration/v1/items'),
    orderCursor: await cursorFrom('/partner/orders'),
    logCursor: await cursorFrom('/partner/audit-log'),
    callCursor: await cursorFrom('/integration/v1/request-log'),
    requestId: String((await own('request_log'))[0]?.['requestId']),
    customerId: subscription?.customerIds[0] ?? '',
    sessionIds: values(await own('sessions'), '_id'),
    refreshToken: await aRefreshToken(world, account),
    endedRefreshToken,
    ...links,
  };
}

async function waitingOf(world: ApiWorld, { id, token }: TestAccount): Promise<Belongings['waiting']> {
  const { commission } = (await must(world, 'GET /business/my-deal', { token })).body;
  const [{ memberUserId, orders, sales } = { memberUserId: id, orders: 1, sales: 1 }] =
    commission?.waiting.members ?? [];
  return { memberUserId, orders, sales };
}

/** Has both mails sent, with all others that are due. */
export async function linksOf(
  world: ApiWorld,
  { id, email, password, token }: TestAccount,
): Promise<Pick<Belongings, 'resetToken' | 'confirmToken' | 'revocationToken'>> {
  const linkTo = async (address: string) => tokenIn((await sendDueMails(world)).find(({ to }) => to === address));
  await sendDueMails(world);
  await must(world, 'POST /auth/password/forgotten', { body: { email } });
  const resetToken = await linkTo(email);
  const newEmail = `${canary()}@example.se`;
  await must(world, 'POST /auth/email', { token, body: { email: newEmail, password } });
  const confirmToken = await linkTo(newEmail);
  const offered = { _id: accountId(id), email };
  const revocationToken = await inTransaction(world.store, (session) =>
    offerRevocation(world.store, offered, { at: world.now(), session }),
  );
  return { resetToken, confirmToken, revocationToken };
}

/** Every row in which the account is named, as text. */
export async function rowsNaming(
  world: ApiWorld,
  account: { readonly id: string },
): Promise<readonly { readonly collection: string; readonly text: string }[]> {
  const { db } = world.store.connection;
  if (db === undefined) throw new Error('the store is not open');
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const found = await Promise.all(
    names.map(async (collection) => {
      const rows = await db.collection(collection).find().toArray();
      return rows.map((row) => ({ collection, text: rowText(row) }));
    }),
  );
  return found.flat().filter((row) => namesAccount(row, account.id));
}
