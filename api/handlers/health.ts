import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';

/** The process runs: nothing else is asked, so that no supervisor restarts it because of a slow database. */
export async function getHealthz(): Promise<Answer> {
  return { status: 200, body: { status: 'ok' }, headers: noStore };
}

/** Whether to send requests here. */
export async function getReadyz(call: Call): Promise<Answer> {
  const isReady = await call.isReady();
  return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'unavailable' }, headers: noStore };
}
