import { noStore } from '../http/no-store.ts';
import type { Answer, Call } from '../http/route.ts';

/** True while the process runs. It checks nothing else, so that no supervisor restarts the process because of a slow database. */
export async function getHealthz(): Promise<Answer> {
  return { status: 200, body: { status: 'ok' }, headers: noStore };
}

/** Tells a load balancer whether to send requests to this process. */
export async function getReadyz(call: Call): Promise<Answer> {
  const isReady = await call.isReady();
  return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'unavailable' }, headers: noStore };
}
