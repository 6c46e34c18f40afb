import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { attemptFigures, type AttemptFigures } from '../../core/webhooks/attempt-figures.ts';
import { listRecentAttempts } from '../../store/deliveries/delivery-attempts.ts';
import { listEndpoints } from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';

interface ReceiverStatistics extends AttemptFigures {
  /** Left out for the account-level URL. */
  readonly endpointId?: EndpointId;
  /** Since then every attempt is counted: later than the period's beginning where there were more than are counted. */
  readonly from: string;
}

export interface WebhookStatistics {
  readonly from: string;
  readonly to: string;
  readonly receivers: readonly ReceiverStatistics[];
}

const periodMs = 7 * 24 * 3_600_000;
/** Of each receiver: enough for a p95, and what the call costs does not grow with what a shop sends. */
const countedMax = 500;

/** How each receiver of the account took the attempts of the last seven days. */
export async function readWebhookStatistics(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { actingAccountId }: Scope,
): Promise<WebhookStatistics> {
  const to = now();
  const begin = new Date(to.getTime() - periodMs);
  const statisticsOf = async (endpointId: EndpointId | null): Promise<ReceiverStatistics> => {
    const walk = { filter: { endpointId, from: begin }, rowsMax: countedMax };
    const attempts = await listRecentAttempts(store, actingAccountId, walk);
    const oldest = attempts.length < countedMax ? undefined : attempts.at(-1);
    const from = (oldest?.createdAt ?? begin).toISOString();
    return { ...(endpointId !== null && { endpointId }), ...attemptFigures(attempts), from };
  };
  const endpoints = await listEndpoints(store, actingAccountId);
  const ofUrl = await statisticsOf(null);
  const receivers = ofUrl.attempts > 0 ? [ofUrl] : [];
  // One after the other: a page that is opened often must not take all connections of the process.
  for (const { _id } of endpoints) receivers.push(await statisticsOf(_id));
  return { from: begin.toISOString(), to: to.toISOString(), receivers };
}
