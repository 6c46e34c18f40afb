import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startBulkService, type BulkService } from './bulk-service.ts';

type Change = Parameters<typeof startBulkService>[0];

/** A service, a file of three lines, and the environment in which the tool finds both again. */
export async function aSync(t: ExecutionContext, change?: Change, content = threeItems) {
  const service: BulkService = await startBulkService(change);
  t.teardown(() => service.close());
  const folder = temporaryFolder('sync');
  const file = join(folder, 'items.ndjson');
  writeFileSync(file, content);
  const state = join(folder, 'state');
  const env = { ITEMBRIDGE_URL: service.url, ITEMBRIDGE_API_KEY: 'sk_live_of_the_test', XDG_STATE_HOME: state };
  const states = (): string[] => {
    try {
      return readdirSync(join(state, 'itembridge', 'syncs'));
    } catch {
      return [];
    }
  };
  return { service, folder, file, env, states };
}

export const threeItems = ['A', 'B', 'C']
  .map((id) => `{"externalId":"${id}","title":"${id}","price":10,"imageUrls":[]}\n`)
  .join('');
