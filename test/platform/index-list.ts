import { isDeepStrictEqual } from 'node:util';
import { schemaVersion } from '../../compose/schema-steps.ts';
import type { NamedIndex } from '../../platform/database/indexes.ts';

/**
 * The version of the last release, then every index of its database: `collection name since-version definition`, or `since-ended` for
 * one that is no longer used.
 */
export const indexListFile = 'compose/schema-indexes.txt';

type Defined = ReadonlyMap<string, readonly NamedIndex[]>;
type Definition = Readonly<Record<string, unknown>>;

interface Listed {
  readonly place: string;
  readonly since: number;
  readonly ended: number | null;
  readonly definition: Definition;
}

/**
 * The list as it is now. A new index begins with the present version; one that is gone keeps its line, because the database still has
 * it, until the step that drops it takes the line out. Throws when a definition has changed under its name, and for any change at a
 * version that is released: its databases would not get it, and the release before would undo it.
 */
export function renewed(text: string, defined: Defined, version = schemaVersion): string {
  const [head = '', ...before] = text.split('\n').filter(Boolean);
  const released = releasedBy(head);
  const after = renewedLines(before, { defined, version });
  const changed = after.filter((line) => !before.includes(line));
  if (changed.length > 0 && version <= released)
    throw new Error(
      `version ${version} is released: add a step to compose/schema-steps.ts (docs/upgrading.md) for ${changed.join(', ')}`,
    );
  return [head, ...after].map((line) => `${line}\n`).join('');
}

function renewedLines(
  lines: readonly string[],
  { defined, version }: { readonly defined: Defined; readonly version: number },
): string[] {
  const known = new Map(lines.map(parse).map((line) => [line.place, line]));
  const present = [...defined].flatMap(([collection, indexes]) =>
    indexes.map(({ name, ...definition }) => ({ place: `${collection} ${name}`, definition: asStored(definition) })),
  );
  const changed = present.filter(({ place, definition }) => isChanged(known.get(place), definition));
  if (changed.length > 0)
    throw new Error(
      `${changed.map(({ place }) => place).join(', ')}: an index keeps its name until its definition changes; name the new one …_2 (docs/upgrading.md)`,
    );
  const kept = present.map((line) => ({ since: version, ...known.get(line.place), ...line, ended: null }));
  const names = new Set(present.map(({ place }) => place));
  const gone = [...known.values()].filter(({ place }) => !names.has(place));
  return [...kept, ...gone.map((line) => ({ ...line, ended: line.ended ?? version }))].map(format).toSorted();
}

function releasedBy(head: string): number {
  const [, version] = /^released (\d+)$/.exec(head) ?? [];
  if (version === undefined) throw new Error(`${indexListFile} must begin with: released VERSION`);
  return Number(version);
}

/** As JSON keeps it. */
const asStored = (definition: object): Definition => JSON.parse(JSON.stringify(definition)) as Definition;

/** How long rows are kept may change with a step: that needs no new index (platform/database/indexes.ts). */
function isChanged(known: Listed | undefined, definition: Definition): boolean {
  const fixed = ({ expireAfterSeconds, ...others }: Definition) => [
    JSON.stringify(others['key']),
    { ...others, expires: expireAfterSeconds !== undefined },
  ];
  return known !== undefined && !isDeepStrictEqual(fixed(known.definition), fixed(definition));
}

function parse(line: string): Listed {
  const [, place = '', since, ended = null, definition = '{}'] =
    /^(\S+ \S+) (\d+)(?:-(\d+))? (\{.*\})$/.exec(line) ?? [];
  if (since === undefined) throw new Error(`${indexListFile} has a line that is none: ${line}`);
  const versions = { since: Number(since), ended: ended === null ? null : Number(ended) };
  return { place, ...versions, definition: JSON.parse(definition) as Definition };
}

const format = ({ place, since, ended, definition }: Listed): string =>
  `${place} ${since}${ended === null ? '' : `-${ended}`} ${JSON.stringify(definition)}`;
