import type { TSchema } from 'typebox';

/** All that a schema says of one field, but for its words: `required` and the keywords of JSON Schema. */
export type Fact = Readonly<Record<string, unknown>>;
/** Facts by dotted path; `[]` stands for each entry of a list. */
export type Contract = Readonly<Record<string, Fact>>;

/** What the schema of an event type promises to receivers. */
export function contractOf(schema: TSchema): Contract {
  const facts: Record<string, Fact> = {};
  visit(JSON.parse(JSON.stringify(schema)) as Json, { path: '', required: true, facts });
  const { '': _root, ...contract } = facts;
  return contract;
}

type Json = Readonly<Record<string, unknown>>;
interface Place {
  readonly path: string;
  readonly required: boolean;
  readonly facts: Record<string, Fact>;
}

/** Words for people, and what is visited as fields of its own. */
const noFacts = new Set(['$id', 'title', 'description', 'examples', 'properties', 'required', 'items']);

/** Every number of JSON is a double: the format only tells generators which type holds it. */
const isFact = ([keyword, value]: [string, unknown]): boolean =>
  !noFacts.has(keyword) && !(keyword === 'format' && value === 'double');

function visit(schema: Json, { path, required, facts }: Place): void {
  facts[path] = {
    required,
    ...Object.fromEntries(Object.entries(schema).filter(isFact)),
  };
  const needed = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, child] of Object.entries((schema['properties'] ?? {}) as Json))
    visit(child as Json, { path: path === '' ? name : `${path}.${name}`, required: needed.includes(name), facts });
  if (schema['items'] !== undefined) visit(schema['items'] as Json, { path: `${path}[]`, required: true, facts });
}

/**
 * Everything in which the current contract breaks the recorded one, each naming its field; empty when it only gained fields.
 * Wider is as bad as narrower: receivers were told what may come, and bodies of the last 30 days are sent again as they were.
 */
export const brokenPromises = (recorded: Contract, current: Contract): string[] =>
  Object.entries(recorded).flatMap(([path, fact]) => {
    const now = current[path];
    return now === undefined ? [`${path} was removed`] : differences(path, fact, now);
  });

function differences(path: string, before: Fact, now: Fact): string[] {
  const keywords = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return keywords
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(now[keyword]))
    .flatMap((keyword) => difference(path, keyword, [before[keyword], now[keyword]]));
}

function difference(path: string, keyword: string, [before, now]: readonly [unknown, unknown]): string[] {
  if (keyword === 'required')
    return [
      before === true ? `${path} may be left out now` : `${path} must be there now, which recorded payloads may lack`,
    ];
  if (keyword === 'enum' && Array.isArray(before) && Array.isArray(now)) {
    const lost = before.filter((value) => !now.includes(value)).map((value) => `${path} lost the value ${text(value)}`);
    const gained = now
      .filter((value) => !before.includes(value))
      .map((value) => `${path} gained the value ${text(value)}`);
    return [...lost, ...gained];
  }
  return [`${path}: ${keyword} was ${text(before)} and is ${text(now)}`];
}

const text = (value: unknown): string => JSON.stringify(value) ?? 'absent';

/** The recorded contract with the fields that are new; what is recorded stays as it is. */
export const withNewFields = (recorded: Contract, current: Contract): Contract => ({
  ...recorded,
  ...Object.fromEntries(Object.entries(current).filter(([path]) => !Object.hasOwn(recorded, path))),
});
