import type { ClientSession, mongo, Schema } from 'mongoose';
import {
  accountId as accountIdOf,
  endpointId as endpointIdOf,
  type AccountId,
  type EndpointId,
} from '../../rules/ids.ts';
import { endpointOfTarget, targetKeyOf } from '../rules/delivery.ts';
import { claimOptions, isClaimed } from '../../../platform/database/claim-row.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';

/** A webhook target by its owner and its endpoint; null is the account-level URL. */
export interface TargetName {
  readonly target: string;
  readonly accountId: AccountId;
  readonly endpointId: EndpointId | null;
}

/** What the row of a target says of its receiver's workflow. */
export interface ReceiverState {
  /**
   * Deliveries wait for `receiver:<target>`, which alone releases them. A new address begins so, and the first failure sets it; absent
   * means false.
   */
  readonly queue?: boolean;
  /** The present address has answered with success. Until then it is sent little, because it may be a stranger's. */
  readonly isProven?: boolean;
  /** Since when its deliveries fail; null or absent while it has received all that it should. */
  readonly troubleSince?: Date | null;
  /** From then on a relay starts the workflow. null or absent: nothing is owed, and no workflow holds the row. */
  readonly startAt?: Date | null;
}

/** The fields of {@link ReceiverState} in a schema. */
export const receiverFields = { queue: Boolean, isProven: Boolean, troubleSince: Date, startAt: Date } as const;

/** The state of a target with a new address. */
export const newAddress = { queue: true, isProven: false } as const;

const whereDate = (field: string) => ({ partialFilterExpression: { [field]: { $type: 'date' } } });

/** The indexes of the relay, and of the operators' list of receivers in trouble. */
export function indexReceivers(schema: Schema): void {
  schema.index({ startAt: 1 }, whereDate('startAt'));
  schema.index({ troubleSince: 1 }, whereDate('troubleSince'));
}

interface ReceiverRow extends ReceiverState {
  readonly _id: string;
  /** Absent in the rows of account-level URLs, whose `_id` it is. */
  readonly accountId?: AccountId;
  /** Absent in the rows of account-level URLs. */
  readonly active?: boolean;
}

type Collection = mongo.Collection<ReceiverRow>;
const endpoints = (store: StoreConnection): Collection => store.connection.collection<ReceiverRow>('webhook_endpoints');
const settings = (store: StoreConnection): Collection => store.connection.collection<ReceiverRow>('webhook_settings');

const placeOf = (store: StoreConnection, { accountId, endpointId }: Omit<TargetName, 'target'>) =>
  endpointId === null
    ? { rows: settings(store), row: { _id: accountId } }
    : { rows: endpoints(store), row: { _id: endpointId, accountId } };

const projection = { queue: 1, isProven: 1, troubleSince: 1, startAt: 1, accountId: 1 } as const;

/** null: the target is gone. */
export function findReceiver(store: StoreConnection, name: TargetName): Promise<ReceiverState | null> {
  const { rows, row } = placeOf(store, name);
  return rows.findOne(row, { projection });
}

/**
 * A delivery has failed: from now on what is for the target waits for its workflow. No effect on a target whose trouble is
 * noted. Returns whether it was set.
 */
export async function markQueue(
  store: StoreConnection,
  name: TargetName,
  { now, session }: { readonly now: Date; readonly session: ClientSession },
): Promise<boolean> {
  const { rows, row } = placeOf(store, name);
  const troubleSince = { $ifNull: ['$troubleSince', now] };
  // An address that was never proven has the mark, and no trouble yet.
  const { modifiedCount } = await rows.updateOne(
    { ...row, $or: [{ queue: { $ne: true } }, { troubleSince: null }] },
    [{ $set: { queue: true, startAt: now, troubleSince } }],
    { session },
  );
  return modifiedCount === 1;
}

/** The address has answered with success. */
export async function prove(store: StoreConnection, name: TargetName, session: ClientSession): Promise<void> {
  const { rows, row } = placeOf(store, name);
  await rows.updateOne({ ...row, isProven: { $ne: true } }, { $set: { isProven: true } }, { session });
}

/** The target has changed, so its workflow is owed a look. */
export async function oweLook(
  store: StoreConnection,
  name: TargetName,
  { now, session }: { readonly now: Date; readonly session?: ClientSession },
): Promise<void> {
  const { rows, row } = placeOf(store, name);
  await rows.updateOne(row, { $set: { startAt: now } }, { ...(session !== undefined && { session }) });
}

/** A run that rests looks again after ten minutes, and its row is due a minute later; one that works has two minutes. */
const restsFromMs = 180_000;

/** Whether the workflow of the target rests with a problem. */
export async function receiverRests(
  store: StoreConnection,
  { target, accountId }: Omit<TargetName, 'endpointId'>,
  now: Date,
): Promise<boolean> {
  const endpointId = endpointOfTarget(target, accountId);
  const seen = await findReceiver(store, { target, accountId, endpointId });
  return seen?.startAt != null && seen.startAt.getTime() - now.getTime() > restsFromMs;
}

/** Writes what a look has found. Returns false, and writes nothing, when the target has changed since `seen` was read, or is locked. */
export async function writeLook(
  store: StoreConnection,
  name: TargetName,
  { seen, next }: { readonly seen: ReceiverState; readonly next: ReceiverState },
): Promise<boolean> {
  const { rows, row } = placeOf(store, name);
  return isClaimed(rows.updateOne({ ...row, startAt: seen.startAt ?? null }, { $set: next }, claimOptions));
}

const nameOfEndpoint = ({ _id, accountId }: ReceiverRow): TargetName[] => {
  if (accountId === undefined) return [];
  return [{ target: _id, accountId, endpointId: endpointIdOf(_id) }];
};

const nameOfUrl = ({ _id }: ReceiverRow): TargetName => {
  const accountId = accountIdOf(_id);
  return { target: targetKeyOf({ accountId, endpointId: null }), accountId, endpointId: null };
};

/** Longer than a lost start takes to be noticed, shorter than an operator waits. */
const againMs = 30_000;

/** Targets whose workflow was not started, or was lost. Each gets its next date, and is returned, by one process. */
export async function claimOwedTargets(
  store: StoreConnection,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<TargetName[]> {
  // `$type` repeats the index's condition: without it the partial index can't be used.
  const due = { startAt: { $lte: now, $type: 'date' as const } };
  const options = { sort: { startAt: 1 }, limit, projection } as const;
  const [ofEndpoints, ofUrls] = await Promise.all([
    endpoints(store).find(due, options).toArray(),
    settings(store).find(due, options).toArray(),
  ]);
  const at = new Date(now.getTime() + againMs);
  const claim = async (row: ReceiverRow, name: TargetName): Promise<TargetName[]> =>
    (await writeLook(store, name, { seen: row, next: { startAt: at } })) ? [name] : [];
  const claimed = await Promise.all([
    ...ofEndpoints.flatMap((row) => nameOfEndpoint(row).map((name) => claim(row, name))),
    ...ofUrls.map((row) => claim(row, nameOfUrl(row))),
  ]);
  return claimed.flat();
}

export interface TargetInTrouble extends TargetName {
  readonly troubleSince: Date;
}

interface Troubles {
  readonly account?: AccountId | undefined;
  /** Only endpoints that are disabled, or only targets that are not. */
  readonly active?: boolean | undefined;
  readonly before: Date;
  readonly limit: number;
}

/** Targets that have been in trouble since `before` or longer, the longest first. */
export async function listTroubles(
  store: StoreConnection,
  { account, active, before, limit }: Troubles,
): Promise<TargetInTrouble[]> {
  const filter = { troubleSince: { $type: 'date' as const, $lte: before } };
  const options = { sort: { troubleSince: 1 }, limit, projection } as const;
  const [ofEndpoints, ofUrls] = await Promise.all([
    endpoints(store)
      .find(
        { ...filter, ...(account !== undefined && { accountId: account }), ...(active !== undefined && { active }) },
        options,
      )
      .toArray(),
    // Account-level URLs are never disabled.
    active === false
      ? []
      : settings(store)
          .find({ ...filter, ...(account !== undefined && { _id: account }) }, options)
          .toArray(),
  ]);
  const inTrouble = (row: ReceiverRow, names: readonly TargetName[]): TargetInTrouble[] => {
    const { troubleSince } = row;
    return troubleSince == null ? [] : names.map((name) => ({ ...name, troubleSince }));
  };
  return [
    ...ofEndpoints.flatMap((row) => inTrouble(row, nameOfEndpoint(row))),
    ...ofUrls.flatMap((row) => inTrouble(row, [nameOfUrl(row)])),
  ]
    .toSorted((one, other) => one.troubleSince.getTime() - other.troubleSince.getTime())
    .slice(0, limit);
}
