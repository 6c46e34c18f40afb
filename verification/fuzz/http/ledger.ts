import type { StoreConnection } from '../../../platform/database/connection.ts';
import type { Expectation } from '../support/judge.ts';
import type { RawAnswer } from '../support/raw-call.ts';

const counted = ['items', 'accounts', 'api_keys', 'webhook_endpoints', 'orders', 'bulk_syncs'] as const;
type Collection = (typeof counted)[number];
type Counts = Record<Collection, number>;

/** What was accepted, against the rows that are there: nothing half written, nothing written for what was refused. */
export class Ledger {
  readonly #store: StoreConnection;
  readonly #before: Counts;
  readonly #accepted: Counts = { items: 0, accounts: 0, api_keys: 0, webhook_endpoints: 0, orders: 0, bulk_syncs: 0 };
  readonly bulkSyncs: string[] = [];

  private constructor(store: StoreConnection, before: Counts) {
    this.#store = store;
    this.#before = before;
  }

  static async open(store: StoreConnection): Promise<Ledger> {
    return new Ledger(store, await countRows(store));
  }

  note({ method, path }: Expectation, { status = 0, text, headers }: RawAnswer): void {
    if (status < 200 || status >= 300 || headers.get('idempotency-replayed') !== null) return;
    const call = `${method} ${path.replace(/\?.*/s, '')}`;
    if (/^PUT \/integration\/v1\/items\//.test(call)) this.#add('items', isCreated(parsed(text)) ? 1 : 0);
    if (call === 'POST /integration/v1/items/batch')
      this.#add('items', resultsOf(parsed(text)).filter(isCreated).length);
    if (call === 'POST /auth/register') this.#add('accounts', 1);
    if (call === 'POST /integration/api-keys/generate') this.#add('api_keys', 1);
    if (/^POST \/integration(\/v1)?\/webhooks$/.test(call)) this.#add('webhook_endpoints', 1);
    if (call === 'POST /partner/orders') this.#add('orders', 1);
    if (call === 'POST /integration/v1/bulk-syncs' || call === 'POST /partner/bulk-syncs') {
      this.#add('bulk_syncs', 1);
      this.bulkSyncs.push(String(field(parsed(text), 'id')));
    }
  }

  /** @param created items that bulk syncs say they have created. */
  noteCreated(created: number): void {
    this.#add('items', created);
  }

  /** One sentence for each collection that does not have what was accepted. */
  async differences(): Promise<string[]> {
    const after = await countRows(this.#store);
    return counted
      .filter((name) => after[name] - this.#before[name] !== this.#accepted[name])
      .map((name) => `${after[name] - this.#before[name]} new rows in ${name}, ${this.#accepted[name]} were accepted`);
  }

  describe(): string {
    return counted.map((name) => `${this.#accepted[name]} ${name}`).join(', ');
  }

  #add(name: Collection, count: number): void {
    this.#accepted[name] += count;
  }
}

async function countRows({ connection }: StoreConnection): Promise<Counts> {
  const counts = await Promise.all(
    counted.map(async (name) => [name, await connection.collection(name).countDocuments({})] as const),
  );
  return Object.fromEntries(counts) as Counts;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

const isCreated = (answer: unknown): boolean => String(field(answer, 'message')).startsWith('Item created');

function resultsOf(answer: unknown): readonly unknown[] {
  const results = field(answer, 'results');
  return Array.isArray(results) ? results : [];
}
