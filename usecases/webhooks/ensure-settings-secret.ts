import { auditBy } from '../../core/audit/audit-by.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { ensureSettings, findSettings, type WebhookSettingsRow } from '../../store/webhooks/webhook-settings.ts';
import type { Context } from '../context.ts';
import { prepareSecret } from './prepare-secret.ts';

/** The account-level settings; the secret is made, and the account's log says so, if there is none yet. */
export async function ensureSettingsSecret(
  context: Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>,
  scope: Scope,
): Promise<WebhookSettingsRow> {
  const { store, encryption, now } = context;
  const account = scope.actingAccountId;
  const found = await findSettings(store, account);
  if (found !== null) return found;
  const { stored: secret } = prepareSecret(encryption, secretContexts.webhookSettings(account));
  const at = now();
  const audit = auditBy(scope, {
    ...{ kind: 'webhook_url_secret_generated', at, details: { secretHint: secret.secretHint } },
    message: "The secret of the account's webhook URL was made",
  });
  await context.confirmCredential(scope);
  return ensureSettings(store, account, { secret, now: at, audit });
}
