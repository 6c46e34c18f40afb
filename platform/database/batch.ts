import type { ClientSession } from 'mongoose';
import { groupBy } from '../../features/rules/group-by.ts';
import { Batcher } from '../concurrency/batcher.ts';
import type { StoreConnection } from './connection.ts';

/** Answers by key. An Error stands for a row that can't be read; a missing key means that there is no row. */
export type Answers<Answer> = ReadonlyMap<string, Answer | Error>;
/** Reads all keys of one group in one query. */
export type ReadTogether<Group extends string, Answer> = (
  group: Group,
  keys: readonly string[],
) => Promise<Answers<Answer>>;

/**
 * Each batch is small, so that it is quick. It collects the calls that arrive in one turn of the event loop. A batch that
 * hangs, on a locked row or a dead connection, delays only its own calls. A call that has waited too long is refused before its
 * work begins: no write may rest on an old check of its key.
 */
const pace = {
  sizeMax: 100,
  atOnce: 2,
  begin: 'after this turn',
  patience: { countedMs: 200, underWayMax: 60, waitMaxMs: 3_000, commitMaxMs: 20_000 },
} as const;

/**
 * Concurrent reads of one kind go to the database together, because on a busy process the round trip costs more than the read.
 * Each group (an account) has its own query, so no answer crosses accounts. No caller gets an answer from a query that began
 * before its call, and a single caller does not wait.
 */
export function batchReads<Group extends string, Answer>(
  read: ReadTogether<Group, Answer>,
): (group: Group, key: string) => Promise<Answer | undefined> {
  const readGroup = async (group: Group, asks: readonly Ask<Group, Answer>[]): Promise<void> => {
    const answers = await read(group, [...new Set(asks.map(({ key }) => key))]).catch(asError);
    for (const { key, answer } of asks) answer(answers instanceof Error ? answers : answers.get(key));
  };
  const gathered = new Batcher<Ask<Group, Answer>, undefined>({
    ...pace,
    commit: async (asks) => {
      const groups = [...groupBy(asks, ({ group }) => group)];
      // Each group's callers get their answers as soon as their own query ends.
      await Promise.all(groups.map(([group, own]) => readGroup(group, own)));
      return asks.map(() => undefined);
    },
  });
  return async (group, key) =>
    orThrow(
      await new Promise<Answer | Error | undefined>((answer, reject) => {
        gathered.add({ group, key, answer }).catch(reject);
      }),
    );
}

interface Ask<Group, Answer> {
  readonly group: Group;
  readonly key: string;
  readonly answer: (answer: Answer | Error | undefined) => void;
}

/** Makes one instance for each open database, at its first use. */
export function perStore<Store extends object, Made>(make: (store: Store) => Made): (store: Store) => Made {
  const made = new WeakMap<Store, Made>();
  return (store) => {
    const known = made.get(store) ?? make(store);
    made.set(store, known);
    return known;
  };
}

/** The thrown value as an Error. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function orThrow<Answer>(answer: Answer | Error): Answer {
  if (answer instanceof Error) throw answer;
  return answer;
}

export interface InsertOptions {
  readonly session: ClientSession;
  /** Whether the rows behind a failed row are skipped. */
  readonly ordered: boolean;
}

/**
 * Inserts rows without mongoose documents, which would cast each field again and take longer than the rest of storing
 * an event. Undefined fields are left out.
 */
export async function insertRows(
  store: StoreConnection,
  collection: string,
  { rows, session, ordered }: InsertOptions & { readonly rows: readonly { readonly _id: string }[] },
): Promise<void> {
  if (rows.length === 0) return;
  const options = { session, ordered, ignoreUndefined: true } as const;
  await store.connection.collection<{ _id: string }>(collection).insertMany([...rows], options);
}
