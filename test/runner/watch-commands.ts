import { mongo } from 'mongoose';
import { afterEachFile } from './at-end.ts';
import { isAllowed, keyOf } from './shard-keys.ts';

// Every command that the tests' process sends to MongoDB is looked at. One of the product that names no account (or no other key of
// its collection) would ask all shards of a divided database, or be refused there: it fails the test file that is running, unless
// shard-keys.ts allows it.

type Document = Readonly<Record<string, unknown>>;

const found = new Set<string>();
let seen = 0;

/** How many commands were looked at. */
export const commandsSeen = (): number => seen;

/** Called before any connection is opened. */
export function watchCommands(): void {
  const { prototype } = mongo.MongoClient;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the client's own `this` below
  const { connect } = prototype;
  prototype.connect = function connectWatched() {
    Object.assign(this, { monitorCommands: true });
    if (this.listenerCount('commandStarted') === 0)
      this.on('commandStarted', ({ commandName, command }) => inspect(commandName, command));
    return connect.call(this);
  };
  afterEachFile(() => {
    if (found.size === 0) return undefined;
    const told = [...found].join('\n');
    found.clear();
    return new Error(`commands for no account alone (name it, or say in test/runner/shard-keys.ts why not):\n${told}`);
  });
}

function inspect(name: string, command: Document): void {
  seen += 1;
  for (const what of violationsOf(name, command)) {
    const file = sender();
    if (file !== undefined && !isAllowed(file, what)) found.add(`${file}: ${what}`);
  }
}

/** What a command asks of a divided collection without its key: `find items by startAt`. */
function violationsOf(name: string, command: Document): string[] {
  const collection = command[name];
  if (typeof collection !== 'string') return [];
  const unless = (filter: unknown, isUpsert = false): string[] => {
    const key = keyOf(collection)?.slice(0, isUpsert ? undefined : 1) ?? [];
    return key.every((field) => names(filter, field)) ? [] : [`${name} ${collection} by ${fieldsOf(filter)}`];
  };
  switch (name) {
    case 'find':
      return unless(command['filter']);
    case 'distinct':
      return unless(command['query']);
    case 'findAndModify':
      return unless(command['query'], command['upsert'] === true);
    case 'update':
      return listOf(command['updates']).flatMap(({ q, upsert }) => unless(q, upsert === true));
    case 'delete':
      return listOf(command['deletes']).flatMap(({ q }) => unless(q));
    case 'aggregate':
      return [
        ...unless(listOf(command['pipeline'])[0]?.['$match']),
        ...listOf(command['pipeline'])
          .flatMap(partsOf)
          .flatMap((part) => violationsOf('aggregate', part)),
      ];
    default:
      return [];
  }
}

/** The reads of other collections in a stage of an aggregation. */
function partsOf({ $unionWith: union, $lookup: lookup }: Document): Document[] {
  if (isDocument(union)) return [{ aggregate: union['coll'], pipeline: union['pipeline'] }];
  return isDocument(lookup) ? [{ aggregate: lookup['from'], pipeline: lookup['pipeline'] }] : [];
}

/** Whether only rows with known values of the field match. */
function names(filter: unknown, field: string): boolean {
  if (!isDocument(filter)) return false;
  const branches = listOf(filter['$or']);
  return (
    isKnown(filter[field]) ||
    listOf(filter['$and']).some((part) => names(part, field)) ||
    (branches.length > 0 && branches.every((part) => names(part, field)))
  );
}

function isKnown(wanted: unknown): boolean {
  if (!isDocument(wanted)) return wanted !== undefined && wanted !== null;
  // A range with both ends: ids that begin with an account or an upload.
  return '$eq' in wanted || '$in' in wanted || ('$gt' in wanted && '$lt' in wanted);
}

const isDocument = (value: unknown): value is Document => typeof value === 'object' && value !== null;
const listOf = (value: unknown): Document[] => (Array.isArray(value) ? value.filter(isDocument) : []);
const fieldsOf = (filter: unknown): string =>
  isDocument(filter) ? Object.keys(filter).toSorted().join(', ') : 'nothing';

/** The innermost file of the project in the stack; undefined for a command that a test sends itself. */
function sender(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 80;
  const { stack = '' } = new Error('here');
  Error.stackTraceLimit = stackTraceLimit;
  const root = `${process.cwd()}/`;
  const files = [...stack.matchAll(/(\/[^\s():]+\.ts):\d+/g)].flatMap(([, path = '']) =>
    path.startsWith(root) && !path.includes('/node_modules/') ? [path.slice(root.length)] : [],
  );
  const file = files.find((name) => name !== 'test/runner/watch-commands.ts') ?? 'unknown';
  return /^(test|verification|bench|examples)\//.test(file) ? undefined : file;
}
