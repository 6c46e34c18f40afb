import { mongo } from 'mongoose';
import { afterEachFile } from './at-end.ts';
import { isAllowed, keyOf, mayNameSeveral } from './shard-keys.ts';

// Every command that the tests' process sends to MongoDB is looked at. One of the product that names no account (or no other key of
// its collection) would ask all shards of a divided database, or be refused there: it fails the test file that is running, unless
// shard-keys.ts allows it. So does a transaction that names several accounts: it may be one of several shards.

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
  inspectTransaction(name, command);
  for (const what of violationsOf(name, command)) {
    const file = sender();
    if (file !== undefined && !isAllowed(file, what)) found.add(`${file}: ${what}`);
  }
}

/**
 * What a command asks of a divided collection without its key: `find items by startAt`. A cluster before MongoDB 7.1 takes a change of
 * one row only with the whole key, or with its `_id`; an upsert or findAndModify only with the whole key.
 */
function violationsOf(name: string, command: Document): string[] {
  const collection = command[name];
  if (typeof collection !== 'string') return [];
  const unless = (filter: unknown, needed: 'its first field' | 'its fields, or the id' | 'its fields'): string[] => {
    const key = keyOf(collection) ?? [];
    const isById = needed === 'its fields, or the id' && names(filter, '_id');
    const wanted = needed === 'its first field' || isById ? key.slice(0, 1) : key;
    return wanted.every((field) => names(filter, field)) ? [] : [`${name} ${collection} by ${fieldsOf(filter)}`];
  };
  const some = (filter: unknown): string[] => unless(filter, 'its first field');
  switch (name) {
    case 'find':
      return some(command['filter']);
    case 'distinct':
      return some(command['query']);
    case 'insert':
      return listOf(command['documents']).flatMap((row) => unless(row, 'its fields'));
    case 'findAndModify':
      return unless(command['query'], 'its fields');
    case 'update':
      return listOf(command['updates']).flatMap(({ q, upsert, multi }) =>
        multi === true && upsert !== true
          ? some(q)
          : unless(q, upsert === true ? 'its fields' : 'its fields, or the id'),
      );
    case 'delete':
      return listOf(command['deletes']).flatMap(({ q, limit }) =>
        limit === 0 ? some(q) : unless(q, 'its fields, or the id'),
      );
    case 'aggregate':
      return [
        ...some(listOf(command['pipeline'])[0]?.['$match']),
        ...listOf(command['pipeline'])
          .flatMap(partsOf)
          .flatMap((part) => violationsOf('aggregate', part)),
      ];
    default:
      return [];
  }
}

/** The accounts (or uploads) that each transaction under way has named in divided collections. */
const namedBy = new Map<string, Set<string>>();
const idLength = 36;

function inspectTransaction(name: string, command: Document): void {
  const { lsid, txnNumber, autocommit } = command;
  if (autocommit !== false || !isDocument(lsid)) return;
  const transaction = `${String(lsid['id'])} ${String(txnNumber)}`;
  const named = namedBy.get(transaction) ?? new Set();
  namedBy.set(transaction, named);
  for (const value of valuesOf(name, command)) named.add(value.slice(0, idLength));
  if (name !== 'commitTransaction' && name !== 'abortTransaction') return;
  namedBy.delete(transaction);
  const file = named.size > 1 && name === 'commitTransaction' ? sender('platform/') : undefined;
  if (file !== undefined && !mayNameSeveral(file)) found.add(`${file}: a transaction of several accounts`);
}

/** The values of the first field of the key that a command names. */
function valuesOf(name: string, command: Document): string[] {
  const collection = command[name];
  const [field] = (typeof collection === 'string' ? keyOf(collection) : undefined) ?? [];
  if (field === undefined) return [];
  const filters = [
    ...[command['filter'], command['query']],
    ...listOf(command['documents']),
    ...[...listOf(command['updates']), ...listOf(command['deletes'])].map(({ q }) => q),
  ];
  return filters.flatMap((filter) => {
    const wanted = isDocument(filter) ? filter[field] : undefined;
    const list: unknown = isDocument(wanted) ? (wanted['$in'] ?? wanted['$eq']) : wanted;
    return [list].flat().filter((value) => typeof value === 'string');
  });
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

/** The innermost file of the project in the stack, but for a folder; undefined for a command that a test sends itself. */
function sender(except?: string): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 80;
  const { stack = '' } = new Error('here');
  Error.stackTraceLimit = stackTraceLimit;
  const root = `${process.cwd()}/`;
  const files = [...stack.matchAll(/(\/[^\s():]+\.ts):\d+/g)].flatMap(([, path = '']) =>
    path.startsWith(root) && !path.includes('/node_modules/') ? [path.slice(root.length)] : [],
  );
  const isMeant = (name: string): boolean =>
    name !== 'test/runner/watch-commands.ts' && (except === undefined || !name.startsWith(except));
  const file = files.find(isMeant) ?? 'unknown';
  return /^(test|verification|bench|examples)\//.test(file) ? undefined : file;
}
