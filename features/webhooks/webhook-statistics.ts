import type { AccountId, EndpointId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { attemptFigures, type AttemptFigures } from './rules/attempt-figures.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { listRecentAttempts } from './store/delivery-attempts.ts';
import { findEndpoint, listEndpoints } from './store/webhook-endpoints.ts';
import type { Context } from '../context.ts';

interface ReceiverStatistics extends AttemptFigures {
  /** Left out for the account-level URL. */
  readonly endpointId?: EndpointId;
  /** Every attempt since this time is counted. It is later than the period's beginning when the limit of attempts was reached. */
  readonly from: string;
}

const periodMs = 7 * 24 * 3_600_000;
/** Attempts counted for each receiver: enough for a p95. The limit keeps the cost of a call independent of the shop's traffic. */
const countedMax = 500;

/**
 * Results of the last seven days' attempts, for each receiver of the account or only for the requested one. null requests the
 * account-level URL. An endpoint that the account does not have gives an empty result.
 */
export async function readWebhookStatistics(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { actingAccountId }: Scope,
  asked?: EndpointId | null,
) {
  const to = now();
  const begin = new Date(to.getTime() - periodMs);
  const statisticsOf = async (endpointId: EndpointId | null): Promise<ReceiverStatistics> => {
    const walk = { filter: { endpointId, from: begin }, rowsMax: countedMax };
    const attempts = await listRecentAttempts(store, actingAccountId, walk);
    const oldest = attempts.length < countedMax ? undefined : attempts.at(-1);
    const from = (oldest?.createdAt ?? begin).toISOString();
    return { ...(endpointId !== null && { endpointId }), ...attemptFigures(attempts), from };
  };
  const receivers: ReceiverStatistics[] = [];
  // The receivers are read one after the other, so that a page opened often does not take all connections of the process.
  for (const receiver of await receiversOf(store, actingAccountId, asked)) {
    const statistics = await statisticsOf(receiver);
    if (receiver !== null || statistics.attempts > 0) receivers.push(statistics);
  }
  return { from: begin.toISOString(), to: to.toISOString(), receivers };
}

async function receiversOf(
  store: StoreConnection,
  account: AccountId,
  asked: EndpointId | null | undefined,
): Promise<readonly (EndpointId | null)[]> {
  if (asked === null) return [null];
  if (asked === undefined) return [null, ...(await listEndpoints(store, account)).map(({ _id }) => _id)];
  return (await findEndpoint(store, account, asked)) === null ? [] : [asked];
}
