/** An index as a schema wants it or as the database has it. */
export interface IndexSpec {
  readonly name: string;
  /** Fields in their order, each with 1, -1 or a kind of index. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
  readonly collation?: Readonly<Record<string, unknown>>;
  readonly expireAfterSeconds?: number;
}

/** What turns the indexes of one collection into those that are wanted. */
export interface IndexPlan {
  /** Wanted and there, by the name they have: asking for them again waits for those that are still being built. */
  readonly present: readonly IndexSpec[];
  /** Missing, or there with another definition: then under a name that is free, beside the old one. */
  readonly missing: readonly IndexSpec[];
  /** There, but with another time after which documents go. */
  readonly retimed: readonly { readonly name: string; readonly expireAfterSeconds: number }[];
  /** Ours by their name and of another definition: to be dropped when the missing ones are there. Never one that we don't know. */
  readonly replaced: readonly string[];
}

/** A second definition of an index named `a_1` is `a_1~2`, because one name has one definition at a time. */
const versionMark = '~';

/** The longest time the database knows, 68 years: an index can't lose its time but by being dropped. */
const never = 2_147_483_647;

export function planIndexes(wanted: readonly IndexSpec[], existing: readonly IndexSpec[]): IndexPlan {
  const present: IndexSpec[] = [];
  const missing: IndexSpec[] = [];
  const retimed: { name: string; expireAfterSeconds: number }[] = [];
  const kept = new Set<string>();
  for (const index of wanted) {
    const found = existing.find((candidate) => shapeOf(candidate) === shapeOf(index));
    if (found === undefined) {
      missing.push({ ...index, name: freeName(index.name, existing) });
      continue;
    }
    kept.add(found.name);
    const { expireAfterSeconds: wantedTime, ...shape } = index;
    const { name, expireAfterSeconds: timeNow } = found;
    // As it is there, for the database takes one whose time differs for another index.
    present.push({ ...shape, name, ...(timeNow !== undefined && { expireAfterSeconds: timeNow }) });
    const expireAfterSeconds = wantedTime ?? never;
    if ((timeNow ?? never) !== expireAfterSeconds) retimed.push({ name, expireAfterSeconds });
  }
  const ownNames = new Set(wanted.map(({ name }) => name));
  const isOwn = (name: string): boolean => ownNames.has(name.replace(/~\d+$/, ''));
  const replaced = existing.map(({ name }) => name).filter((name) => isOwn(name) && !kept.has(name));
  return { present, missing, retimed, replaced };
}

/** What makes two indexes differ so that the database lets them stand beside each other; the time is not part of it. */
function shapeOf({ key, unique, sparse, partialFilterExpression, collation }: IndexSpec): string {
  const { locale } = collation ?? {};
  return JSON.stringify([
    Object.entries(key),
    unique === true,
    sparse === true,
    partialFilterExpression ?? null,
    // The database fills in the other parts of a collation.
    locale ?? null,
  ]);
}

function freeName(name: string, existing: readonly IndexSpec[]): string {
  const taken = new Set(existing.map((index) => index.name));
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const candidate = `${name}${versionMark}${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
