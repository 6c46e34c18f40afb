import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { claimShowingSecret, ensureSettings, findSettings } from '../../store/webhook-settings.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { prepareSecret } from './prepare-secret.ts';

export interface WebhookSettingsView {
  readonly webhookUrl: string | null;
  readonly webhookSecret: string;
}

type Context = Pick<AccountSideContext, 'store' | 'encryption' | 'now'>;

/**
 * The account-level URL and its secret, which is made here if there is none yet. The secret is shown in full to the first
 * reader only, also when it was made by setting the URL; masked to all others.
 */
export async function readWebhookSettings(context: Context, scope: Scope): Promise<WebhookSettingsView> {
  const account = scope.actingAccountId;
  const place = secretContexts.webhookSettings(account);
  const row =
    (await findSettings(context.store, account)) ??
    (await ensureSettings(context.store, account, {
      secret: prepareSecret(context.encryption, place).stored,
      now: context.now(),
    }));
  const isFirst = !row.secretShown && (await claimShowingSecret(context.store, row));
  return {
    webhookUrl: row.url,
    webhookSecret: isFirst ? context.encryption.decrypt(row.secretEncrypted, place) : row.secretHint,
  };
}
