import { englishRemarks, tellRemark } from '../../../client/files/english.ts';
import { itemLines, openItemFile } from '../../../client/files/item-file.ts';
import type { ApiWorld, TestAccount } from '../../support/api-world.ts';
import { bulkPath, errorsOf, ndjson } from './bulk-calls.ts';
import { chunkDependencies, playBulk } from './play-bulk.ts';

/** An item with something in every kind of field. */
export const aRichItem = {
  description: 'Fin.',
  price: 1249.5,
  shippingCost: 79,
  weightKg: 2,
  useAiEnhancement: true,
  imageUrls: ['https://erp.example/1.jpg'],
  domain: { domain: 'auto_parts', part: { oemNumber: '0615', catalogCodes: { a: '1' } } },
  listing: { durationDays: 5, relist: { times: 2, priceStep: 50 } },
};

/** One such item for each name, which is its id and its title, and one without a category. */
export async function furnish(world: ApiWorld, { apiKey }: TestAccount, names: readonly string[]): Promise<void> {
  const items = names.map((externalId) => ({ externalId, ...aRichItem, title: titleOf(externalId) }));
  const plain = { externalId: 'plain', title: 'Utan kategori', price: 1, imageUrls: [] };
  const body = { items: [...items, plain] };
  const { body: taken } = await world.call('POST', '/integration/v1/items/batch', { apiKey, body });
  const refused = taken.results.filter(({ status }: { status: number }) => status !== 202);
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
}

/** A title is one line. */
const titleOf = (name: string): string => name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

/** What the caller has pushed, and how often each item was changed. */
export const storedItems = async ({ store }: ApiWorld, account: TestAccount) =>
  store.connection
    .collection('items')
    .find(
      { accountId: account.id },
      { projection: { _id: 0, externalId: 1, revision: 1, content: 1, extendedAttributes: 1 } },
    )
    .sort({ externalId: 1 })
    .toArray();

export const exportOf = async (
  world: ApiWorld,
  { token }: TestAccount,
  { list = 'items', language }: { readonly list?: string; readonly language: string },
): Promise<string> => (await world.call('GET', `/partner/${list}.csv?language=${language}`, { token })).text;

/** Syncs a file as the command line tool does, to its end. */
export async function sendBack(world: ApiWorld, { apiKey }: TestAccount, content: string | Uint8Array) {
  const bytes = async function* () {
    yield typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  const { lines, remarks, noted } = itemLines(await openItemFile(bytes));
  const chunks: Uint8Array[] = [];
  for await (const chunk of lines()) chunks.push(chunk);
  const { body } = await world.call('POST', `${bulkPath}?leftOut=keep`, {
    apiKey,
    raw: Buffer.concat(chunks).toString('utf8'),
    headers: { 'content-type': ndjson },
  });
  await playBulk(chunkDependencies(world.store), body.id);
  const bulk = (await world.call('GET', `${bulkPath}/${body.id}`, { apiKey })).body;
  const errors = errorsOf(await world.call('GET', `${bulkPath}/${body.id}/errors`, { apiKey }));
  return { bulk, errors, said: [...remarks, ...noted()].map((remark) => tellRemark(englishRemarks, remark)) };
}
