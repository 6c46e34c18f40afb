import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { claimShowingSecret } from '../../store/webhooks/webhook-settings.ts';
import type { Context } from '../context.ts';
import { ensureSettingsSecret } from './ensure-settings-secret.ts';

export interface WebhookSettingsView {
  readonly webhookUrl: string | null;
  readonly webhookSecret: string;
}

type Needs = Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>;

/** Each round but the last was overtaken by another write of the same row. */
const roundsMax = 5;

/**
 * The account-level URL and its secret, which is made here if there is none yet. The secret is shown in full to the first
 * reader only, also when it was made by setting the URL; masked to all others.
 */
export async function readWebhookSettings(context: Needs, scope: Scope): Promise<WebhookSettingsView> {
  const place = secretContexts.webhookSettings(scope.actingAccountId);
  let row = await ensureSettingsSecret(context, scope);
  for (let round = 1; !row.secretShown; round += 1) {
    await context.confirmCredential(scope);
    const isFirst = await claimShowingSecret(context.store, row);
    if (isFirst) return { webhookUrl: row.url, webhookSecret: context.encryption.decrypt(row.secretEncrypted, place) };
    // Somebody else has seen it, or it was encrypted anew and nobody has.
    if (round === roundsMax) break;
    row = await ensureSettingsSecret(context, scope);
  }
  return { webhookUrl: row.url, webhookSecret: row.secretHint };
}
