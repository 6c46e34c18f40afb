import type { ReadyState } from '../../../embedded/ready-file.ts';
import { callApi, type CallOptions, type Reply } from '../../support/api-world.ts';
import { until } from './started-system.ts';

/** Calls the started system as the dashboard of a browser does; every answer is held against the interface document. */
export const dashboardOf = ({ apiUrl }: ReadyState) => ({
  call: (method: string, path: string, options: CallOptions = {}): Promise<Reply> =>
    callApi(apiUrl, { method, path, ...options }),
});

/** Presses "Pay" on the payment processor's page. Gives the address that the browser is sent to. */
export async function payOn(page: string): Promise<string | null> {
  const answer = await fetch(`${page}/complete`, { method: 'POST', redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.headers.get('location');
}

/** The subscription as soon as the event of the payment has made the account Pro. */
export function untilPro(dashboard: ReturnType<typeof dashboardOf>, token: string): Promise<Reply['body']> {
  return until(
    async () => {
      const { body } = await dashboard.call('GET', '/partner/subscription', { token });
      return body.isPro === true ? body : undefined;
    },
    { what: 'the event of the payment', timeoutMs: 30_000 },
  );
}
