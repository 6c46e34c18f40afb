import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';

/** Whether to send requests here. */
export async function getReadyz(call: Call): Promise<Answer> {
  const isReady = await call.isReady();
  return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'unavailable' }, headers: noStore };
}
