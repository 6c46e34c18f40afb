import type { MadeDelivery, WebhookRecovery, WebhookTestWish } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import type { CallName } from '../../api/use-action.ts';
import { settingsSecret } from '../../webhooks/endpoints.tsx';

/** The actions that an endpoint and the account-level URL have in common. */
export interface Target {
  /** `endpointId` of the log of deliveries. */
  readonly logId: string;
  sendTest(body: WebhookTestWish, headers: CallName): Promise<MadeDelivery>;
  /** The number of events that a recovery since then (ISO 8601) would send. */
  countMissed(since: string): Promise<number>;
  /** Begins a recovery. */
  recover(body: { readonly since: string }, headers: CallName): Promise<void>;
  /** The 20 newest, newest first. */
  recoveries(signal: AbortSignal): Promise<WebhookRecovery[]>;
  /** The new secret. */
  rotateSecret(): Promise<string>;
}

export const endpointTarget = (id: string): Target => ({
  logId: id,
  sendTest: async (body, headers) => (await api.testWebhook({ path: { id }, body, headers })).data,
  countMissed: async (since) =>
    countOf((await api.recoverWebhook({ path: { id }, query: dryRun, body: { since } })).data),
  recover: async (body, headers) => {
    await api.recoverWebhook({ path: { id }, body, headers });
  },
  recoveries: async (signal) => (await api.listWebhookRecoveries({ path: { id }, signal })).data.recoveries,
  rotateSecret: async () => (await api.rotateWebhookSecret({ path: { id } })).data.secret,
});

export const accountTarget: Target = {
  logId: 'account',
  sendTest: async (body, headers) => (await api.testAccountWebhook({ body, headers })).data,
  countMissed: async (since) => countOf((await api.recoverAccountWebhook({ query: dryRun, body: { since } })).data),
  recover: async (body, headers) => {
    await api.recoverAccountWebhook({ body, headers });
  },
  recoveries: async (signal) => (await api.listAccountWebhookRecoveries({ signal })).data.recoveries,
  rotateSecret: async () => {
    const { data } = await api.rotateAccountWebhookSecret();
    // The secret that is still shown is no longer valid.
    settingsSecret.set(undefined);
    return data.webhookSecret;
  },
};

const dryRun = { dryRun: true };

/** The interface document has one answer for a count and for a begun run; a dry run counts. */
function countOf(answer: { readonly count: number } | WebhookRecovery): number {
  return 'count' in answer ? answer.count : answer.total;
}
