import { groupBy } from '../../core/group-by.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';

/** The answers to what was asked, by key: an Error stands for what can't be told, nothing for what is not there. */
export type Answers<Answer> = ReadonlyMap<string, Answer | Error>;
/** Reads all keys of one group by one query. */
export type ReadTogether<Group extends string, Answer> = (
  group: Group,
  keys: readonly string[],
) => Promise<Answers<Answer>>;

/**
 * No query is so large that it takes long. What many connections send in one turn of the event loop is what a busy process has to
 * share. One that hangs, at a row that is locked or on a connection that died, holds up those beside it at most, and who has waited
 * for longer than a caller should is sent away before anything was begun: what was asked of its key is not old when it writes.
 */
const pace = {
  sizeMax: 100,
  atOnce: 2,
  begin: 'after this turn',
  patience: { countedMs: 200, underWayMax: 60, waitMaxMs: 3_000, commitMaxMs: 20_000 },
} as const;

/**
 * Reads that are asked for while others of their kind are under way go to the database together, a query for each group (an
 * account, which no answer crosses): on a busy process a round trip costs more than what it brings. Nobody gets an answer from
 * a query that began before the call, and who calls alone waits for nobody.
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
      // Each group's callers have their answers as soon as their own query has.
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

/** Now, or when it is known: who has an answer need not wait for those beside it. */
export type Eventually<Outcome> = Outcome | Promise<Outcome>;

/**
 * Writes likewise. `writeAll` answers an Error for one that failed by itself, so that it fails no other's; when it throws, nobody
 * knows what became of any of them.
 */
export function batchWrites<Write, Outcome>(
  writeAll: (writes: readonly Write[]) => Promise<readonly Eventually<Outcome | Error>[]>,
): (write: Write) => Promise<Outcome> {
  const gathered = new Batcher<Write, Eventually<Outcome | Error>>({ ...pace, commit: writeAll });
  return async (write) => orThrow(await gathered.add(write));
}

/** One for each open database, made when it is first asked for. */
export function perStore<Store extends object, Made>(make: (store: Store) => Made): (store: Store) => Made {
  const made = new WeakMap<Store, Made>();
  return (store) => {
    const known = made.get(store) ?? make(store);
    made.set(store, known);
    return known;
  };
}

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function orThrow<Answer>(answer: Answer | Error): Answer {
  if (answer instanceof Error) throw answer;
  return answer;
}
