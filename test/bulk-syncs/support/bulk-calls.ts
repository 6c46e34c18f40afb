import type { ApiWorld, CallOptions, Reply } from '../../support/api-world.ts';

export const ndjson = 'application/x-ndjson';
export const bulkPath = '/integration/v1/bulk-syncs';

/** A line that is accepted; tests name what matters. */
export const aLine = (externalId: string, fields: object = {}): object => ({
  externalId,
  title: `Vara ${externalId}`,
  description: 'Fin.',
  price: 100,
  imageUrls: [],
  ...fields,
});

export const linesOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

export interface Upload extends CallOptions {
  readonly query?: string;
}

type UploadCall = [world: ApiWorld, account: { apiKey: string }, lines: readonly unknown[], options?: Upload];

export function upload(...[world, { apiKey }, lines, { query = '', headers = {}, ...options } = {}]: UploadCall) {
  return world.call('POST', `${bulkPath}${query}`, {
    apiKey,
    raw: linesOf(lines),
    ...options,
    headers: { 'content-type': ndjson, ...headers },
  });
}

/** Rows that an upload left behind. */
export async function leftBehind(world: ApiWorld): Promise<number> {
  const counts = ['bulk_chunks', 'bulk_errors', 'bulk_ids'].map((name) =>
    world.store.connection.collection(name).countDocuments(),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

export const errorsOf = (reply: Reply): Record<string, unknown>[] =>
  reply.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
