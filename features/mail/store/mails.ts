import { Schema, type ClientSession } from 'mongoose';
import { retryPauseMs } from '../../rules/backoff.ts';
import { accountId, type AccountId } from '../../rules/ids.ts';
import { triedMs, type Mail, type MailLanguage, type Notice } from '../rules/mail.ts';
import { wantSaleNotices } from '../../accounts/store/accounts.ts';
import { defineCollection, rowsOf, type StoreConnection } from '../../../platform/database/connection.ts';
import type { Session } from '../../../platform/database/transaction.ts';
import type { DueEvent } from '../../webhooks/store/events.ts';

/** A mail that must be sent, or was sent. The write that causes it also stores it. */
export interface MailRow {
  /** Derived from its occurrence where that is told once; else random. */
  readonly _id: string;
  /** The key under which mails take turns: the account, or the fingerprint of an address that may have none. */
  readonly queue: AccountId;
  /** null once it has ended, because addresses are kept no longer than needed. */
  readonly mail: Mail | null;
  /** The language of the page on which the mail was requested; null: the account's own. */
  readonly language: MailLanguage | null;
  /** From then on it is sent; null once it has ended. */
  readonly startAt: Date | null;
  readonly tries: number;
  readonly giveUpAt: Date;
  readonly outcome: MailOutcome | null;
  readonly purgeAt: Date;
}

/**
 * `dropped`: there was no address, or no reason any more. `refused`: the mail server will never accept it. `given_up`:
 * the mail server was unreachable for too long. `no_server`: none is configured.
 */
export type MailOutcome = 'sent' | 'dropped' | 'refused' | 'given_up' | 'no_server';

const schema = new Schema(
  {
    _id: { type: String, required: true },
    queue: { type: String, required: true },
    mail: { type: {}, default: null },
    language: { type: String, default: null },
    startAt: { type: Date, default: null },
    tries: { type: Number, required: true },
    giveUpAt: { type: Date, required: true },
    outcome: { type: String, default: null },
    purgeAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ queue: 1, startAt: 1 }, { partialFilterExpression: { startAt: { $type: 'date' } } });
// For the relay.
schema.index({ startAt: 1 }, { partialFilterExpression: { startAt: { $type: 'date' } } });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const mails = defineCollection<MailRow>('mails', schema);

/** As long as the same occurrence may be reported again, such as an event of the payment processor. */
const keptMs = 60 * 86_400_000;
/**
 * Longer than sending takes, so a mail in progress is not started again. The mail of a killed process waits this long.
 */
const leaseMs = 30_000;

export interface NewMail {
  readonly id: string;
  readonly queue: AccountId;
  readonly mail: Mail;
  readonly language: MailLanguage | null;
  readonly at: Date;
}

/**
 * Stores mails in the transaction of their cause. No effect on those that are stored already, so each occurrence is told once.
 */
export async function insertMails(
  store: StoreConnection,
  news: readonly NewMail[],
  session?: ClientSession,
): Promise<void> {
  const writes = news.map(({ id, queue, mail, language, at }) => {
    const row: Omit<MailRow, '_id'> = {
      queue,
      mail,
      language,
      startAt: at,
      tries: 0,
      outcome: null,
      giveUpAt: new Date(at.getTime() + triedMs[mail.kind]),
      purgeAt: new Date(at.getTime() + keptMs),
    };
    return { updateOne: { filter: { _id: id }, update: { $setOnInsert: row }, upsert: true } };
  });
  await mails(store).bulkWrite(writes, { ...(session && { session }) });
}

export const insertMail = (store: StoreConnection, mail: NewMail, session?: ClientSession): Promise<void> =>
  insertMails(store, [mail], session);

export interface NewNotice {
  readonly accountId: AccountId;
  /** The unique name of the occurrence, such as the id of its event. */
  readonly occurrence: string;
  readonly notice: Notice;
  readonly at: Date;
}

/**
 * Notifies an account of an occurrence, once, in the transaction of the occurrence. Whether the account wants the
 * notice is checked when the mail is sent.
 */
export const insertNotice = (
  store: StoreConnection,
  { accountId: account, occurrence, notice, at }: NewNotice,
  session: ClientSession,
): Promise<void> => {
  const mail: Mail = { kind: 'notice', accountId: account, notice };
  const id = `${notice.what}:${account}:${occurrence}`;
  return insertMail(store, { id, queue: account, mail, language: null, at }, session);
};

/** The keys that have due mails. */
export const listMailQueues = async (store: StoreConnection, now: Date): Promise<string[]> => {
  const found = await rowsOf(mails(store))
    .aggregate<{ readonly _id: string; readonly startAt: Date }>([
      { $match: { startAt: { $type: 'date' } } },
      { $sort: { queue: 1, startAt: 1 } },
      { $group: { _id: '$queue', startAt: { $first: '$startAt' } } },
      { $match: { startAt: { $lte: now } } },
    ])
    .toArray();
  return found.map(({ _id }) => _id);
};

/** Claims the mail of a key that has been due longest. No other process gets it before the lease ends. */
export function claimMail(store: StoreConnection, queue: string, now: Date): Promise<MailRow | null> {
  return rowsOf(mails(store)).findOneAndUpdate(
    { queue: accountId(queue), startAt: { $lte: now, $type: 'date' } },
    { $set: { startAt: new Date(now.getTime() + leaseMs) }, $inc: { tries: 1 } },
    { sort: { startAt: 1 }, returnDocument: 'after' },
  );
}

/** No effect when another process has claimed the mail meanwhile. */
export async function endMail(store: StoreConnection, row: MailRow, outcome: MailOutcome): Promise<void> {
  await mails(store).updateOne(asClaimed(row), { $set: { outcome, mail: null, startAt: null } });
}

/** Retries after a pause that grows with each try: 4 s, doubling up to 10 minutes. */
export async function postponeMail(store: StoreConnection, row: MailRow, now: Date): Promise<void> {
  const at = new Date(now.getTime() + retryPauseMs(row.tries));
  await mails(store).updateOne(asClaimed(row), { $set: { startAt: at } });
}

const asClaimed = ({ _id, queue, tries }: MailRow) => ({ _id, queue, tries });

/**
 * Stores notices of the sales among stored events, in their transaction. Accounts that want no such mail cost one read.
 */
export async function insertSaleNotices(
  store: StoreConnection,
  events: readonly DueEvent[],
  { at, session }: { readonly at: Date; readonly session: Session },
): Promise<void> {
  const sales = events.filter(({ entry }) => entry.type === 'item.sold');
  if (sales.length === 0) return;
  const wanted = await wantSaleNotices(
    store,
    sales.map(({ accountId }) => accountId),
    session,
  );
  for (const { accountId, externalId, entry } of sales) {
    if (!wanted.has(accountId)) continue;
    const notice = { what: 'sale', externalId, priceKronor: Number(entry.data['salePrice']) } as const;
    await insertNotice(store, { accountId, occurrence: entry.eventId, notice, at }, session);
  }
}
