import { auditBy } from '../../core/audit/audit-by.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { replaceSettingsSecret } from '../../store/webhooks/webhook-settings.ts';
import type { Context } from '../context.ts';
import { prepareSecret } from './prepare-secret.ts';
import type { WebhookSettingsView } from './read-webhook-settings.ts';

/** A new secret for the account-level URL, shown in full only here; the previous one is invalid at once. */
export async function rotateSettingsSecret(
  context: Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>,
  scope: Scope,
): Promise<WebhookSettingsView> {
  const { secret, stored } = prepareSecret(context.encryption, secretContexts.webhookSettings(scope.actingAccountId));
  const at = context.now();
  const audit = auditBy(scope, {
    ...{ kind: 'webhook_url_secret_rotated', at, details: { secretHint: stored.secretHint } },
    message: "The secret of the account's webhook URL was replaced",
  });
  const row = await inTransaction(context.store, async (session) => {
    await context.confirmCredential(scope);
    await recordAudit(context.store, audit, session);
    return replaceSettingsSecret(context.store, scope.actingAccountId, { secret: stored, now: at, session });
  });
  return { webhookUrl: row.url, webhookSecret: secret };
}
