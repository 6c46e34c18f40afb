import { Schema } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import { countedMethods, type CountedMethod } from '../../listings/rules/call-budget.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';

/** Calls of one method, or of all together (`all`), on one UTC day, over all workers: one row each, `_id` is `<method>/<YYYY-MM-DD>`. */
interface CallCountRow {
  readonly _id: string;
  readonly total: number;
  /** By account id, a UUID; an account whose calls were refused stays with 0. */
  readonly byAccount: Readonly<Record<string, number>>;
  readonly exhaustedUntil?: Date;
  readonly expiresAt: Date;
}

const schema = new Schema(
  { _id: String, total: Number, byAccount: Schema.Types.Mixed, exhaustedUntil: Date, expiresAt: Date },
  { versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
const model = defineCollection<CallCountRow>('marketplace_call_counts', schema);

/** The previous day is still read, and operators may look at the last few days. */
const keptMs = 5 * 86_400_000;

export interface CallCount {
  readonly total: number;
  readonly byAccount: ReadonlyMap<AccountId, number>;
  readonly exhaustedUntil: Date | null;
}

export interface CallPlace {
  readonly method: CountedMethod;
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
}

export interface CallCounters {
  /** Adds the calls and returns the new count. A caller that exceeds the budget by this must give the calls back. */
  add(place: CallPlace, account: AccountId, calls: number): Promise<CallCount>;
  giveBack(place: CallPlace, account: AccountId, calls: number): Promise<void>;
  read(place: CallPlace): Promise<CallCount>;
  /** The counts of all methods that were used on that day. */
  readDay(day: string): Promise<ReadonlyMap<CountedMethod, CallCount>>;
  /** Records that, by the marketplace's own answer, no calls are left until then. */
  markExhausted(place: CallPlace, until: Date): Promise<void>;
}

const rowId = ({ method, day }: CallPlace): string => `${method}/${day}`;
const fresh = ({ day }: CallPlace) => ({ expiresAt: new Date(Date.parse(day) + keptMs) });

export function createCallCounters(store: StoreConnection): CallCounters {
  const counts = model(store);
  const upsert = (place: CallPlace, update: object) =>
    againIfDuplicate(() =>
      counts
        .findOneAndUpdate(
          { _id: rowId(place) },
          { ...update, $setOnInsert: fresh(place) },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<CallCountRow>()
        .exec(),
    );
  return {
    add: async (place, account, calls) =>
      countOf(await upsert(place, { $inc: { total: calls, [`byAccount.${account}`]: calls } })),
    giveBack: async (place, account, calls) => {
      await counts.updateOne({ _id: rowId(place) }, { $inc: { total: -calls, [`byAccount.${account}`]: -calls } });
    },
    read: async (place) => countOf(await counts.findById(rowId(place)).lean<CallCountRow>()),
    readDay: async (day) => {
      const ids = countedMethods.map((method) => rowId({ method, day }));
      const rows = await counts.find({ _id: { $in: ids } }).lean<CallCountRow[]>();
      const rowById = new Map(rows.map((row) => [row._id, row]));
      return new Map(
        countedMethods.flatMap((method) => {
          const row = rowById.get(rowId({ method, day }));
          return row === undefined ? [] : [[method, countOf(row)] as const];
        }),
      );
    },
    markExhausted: async (place, until) => {
      await upsert(place, { $max: { exhaustedUntil: until } });
    },
  };
}

function countOf(row: CallCountRow | null): CallCount {
  return {
    total: row?.total ?? 0,
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- only `add` writes these names
    byAccount: new Map(Object.entries(row?.byAccount ?? {}) as [AccountId, number][]),
    exhaustedUntil: row?.exhaustedUntil ?? null,
  };
}

/** Two workers may insert the first row of a day at the same time. */
async function againIfDuplicate<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicateKey(error)) return work();
    throw error;
  }
}
