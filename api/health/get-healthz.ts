import { noStore } from '../http/no-store.ts';
import type { Answer } from '../http/route.ts';

/** The process runs: nothing else is asked, so that a slow database restarts nobody. */
export async function getHealthz(): Promise<Answer> {
  return { status: 200, body: { status: 'ok' }, headers: noStore };
}
