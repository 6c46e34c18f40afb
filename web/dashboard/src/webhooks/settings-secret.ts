import type { WebhookSettings } from '../../../../client/generated/types.gen.ts';
import { api } from '../api/api.ts';
import { createStore } from '../state/store.ts';

/**
 * The secret of the account-level URL in full. The service tells it to the first who ever reads the settings, mostly before there is
 * a URL: it is kept here, in this tab only, until the person has taken it.
 */
export const settingsSecret = createStore<string | undefined>(undefined);

/** A masked one has stars where the middle of it was. */
export const isWholeSecret = (secret: string): boolean => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret);

/** Reads the settings, and keeps the secret when it is told. */
export async function readWebhookSettings(signal: AbortSignal): Promise<WebhookSettings> {
  // Breaking off here could lose the only answer that has the secret: it is waited for whoever has left.
  const { data } = await api.getWebhookSettings();
  if (isWholeSecret(data.webhookSecret)) settingsSecret.set(data.webhookSecret);
  signal.throwIfAborted();
  return data;
}
