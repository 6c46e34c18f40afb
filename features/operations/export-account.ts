import { recordAudit } from '../accounts/store/audit.ts';
import { operatorCalled } from '../items/rules/journal.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { findMeant, holdersOf } from './account-holders.ts';
import type { OperationsContext } from './find-account.ts';
import { countRows, readHeldRows } from './store/held-rows.ts';
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
 * (docs/personal-data.md). The account's log has an entry before anything is returned. Throws Refusal NOT_FOUND.
 */
export async function* exportAccount(context: Needs, email: string): AsyncGenerator<ExportedFile> {
  const { store, imageStore, now, operator } = context;
  const account = await findMeant(store, email);
  const holders = await holdersOf(store, account);
  const buyers = await countRows(store, 'order_buyers', account._id);
  const told = { accountId: account._id, actor: operatorCalled(operator), at: now() };
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
