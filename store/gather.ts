import { groupBy } from '../core/group-by.ts';
import { GroupCommit } from '../platform/group-commit.ts';

/** The answers to what was asked, by key: an Error stands for what can't be told, nothing for what is not there. */
export type Answers<Answer> = ReadonlyMap<string, Answer | Error>;
/** Reads all keys of one group by one query. */
export type ReadTogether<Group extends string, Answer> = (
  group: Group,
  keys: readonly string[],
) => Promise<Answers<Answer>>;

/**
 * No query is so large that it takes long, and with one under way alone all would wait for the slowest of those before them.
 * What many connections send in one turn of the event loop is what a busy process has to share.
 */
const pace = { sizeMax: 100, atOnce: 2, begin: 'after this turn' } as const;

/**
 * Reads that are asked for while others of their kind are under way go to the database together, a query for each group (an
 * account, which no answer crosses): on a busy process a round trip costs more than what it brings. Nobody gets an answer from
 * a query that began before the call, and who calls alone waits for nobody.
 */
export function gatherReads<Group extends string, Answer>(
  read: ReadTogether<Group, Answer>,
): (group: Group, key: string) => Promise<Answer | undefined> {
  const gathered = new GroupCommit<{ readonly group: Group; readonly key: string }, Answer | Error | undefined>({
    ...pace,
    commit: async (asks) => {
      const groups = [...groupBy(asks, ({ group }) => group)];
      const answered = groups.map(async ([group, own]) => {
        const keys = new Set(own.map(({ key }) => key));
        return [group, await read(group, [...keys]).catch(asError)] as const;
      });
      const answersOf = new Map(await Promise.all(answered));
      return asks.map(({ group, key }) => {
        const answers = answersOf.get(group);
        return answers instanceof Error ? answers : answers?.get(key);
      });
    },
  });
  return async (group, key) => orThrow(await gathered.add({ group, key }));
}

/**
 * Writes likewise. `writeAll` answers an Error for one that failed by itself, so that it fails no other's; when it throws, nobody
 * knows what became of any of them.
 */
export function gatherWrites<Write, Outcome>(
  writeAll: (writes: readonly Write[]) => Promise<readonly (Outcome | Error)[]>,
): (write: Write) => Promise<Outcome> {
  const gathered = new GroupCommit<Write, Outcome | Error>({ ...pace, commit: writeAll });
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
