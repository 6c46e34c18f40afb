import { Refusal } from '../rules/errors.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import { operatorCalled } from '../items/rules/journal.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { holdersOf } from './account-holders.ts';
import type { OperationsContext } from './find-account.ts';
import { countHeldRows, readHeldRows } from './store/held-rows.ts';
import { readableRow } from './rules/readable-row.ts';

/** A file of an export: rows of one collection as JSON, a row a line, or a picture. */
export interface ExportedFile {
  /** With folders: `items.jsonl`, `sandbox/items.jsonl`, `images/<hash>/large.jpg`. */
  readonly name: string;
  readonly content: AsyncIterable<string | Buffer>;
}

type Needs = Pick<OperationsContext, 'store' | 'now' | 'operator'> & { readonly imageStore: ImageStore };

/**
 * All that is stored of an account, for the partner: no secrets, no names of operators; its buyers, as the seller may read them
 * (docs/personal-data.md). The account's log has an entry before anything is returned. Throws {@link Refusal} NOT_FOUND.
 */
export async function* exportAccount(context: Needs, email: string): AsyncGenerator<ExportedFile> {
  const { store, imageStore, now, operator } = context;
  const holders = await holdersOf(store, email);
  const [account] = holders.slice(-1);
  if (account === undefined) throw new Refusal('NOT_FOUND', 'No account has this email');
  const { order_buyers: buyers = 0 } = await countHeldRows(store, account);
  const told = { accountId: account.id, actor: operatorCalled(operator), at: now() };
  await recordAudit(store, { ...told, kind: 'account_exported', details: { buyers } });
  for (const holder of holders) {
    const folder = holder.email === null ? 'sandbox/' : '';
    for await (const { collection, rows } of readHeldRows(store, holder))
      yield { name: `${folder}${collection}.jsonl`, content: linesOf(rows) };
    for await (const key of imageStore.list(holder.id))
      yield { name: `${folder}images/${key.slice(holder.id.length + 1)}`, content: bytesOf(imageStore, key) };
  }
}

async function* linesOf(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(readableRow(row))}\n`;
}

async function* bytesOf(imageStore: ImageStore, key: string): AsyncGenerator<Buffer> {
  yield await imageStore.read(key);
}
