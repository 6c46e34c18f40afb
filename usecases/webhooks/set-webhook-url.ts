import { auditBy } from '../../core/audit/audit-by.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import type { Scope } from '../../core/scope.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { setSettingsUrl } from '../../store/webhooks/webhook-settings.ts';
import type { Context } from '../context.ts';
import { checkTargetUrl } from './check-target.ts';
import { ensureSettingsSecret } from './ensure-settings-secret.ts';
import { originOf } from './origin-of.ts';

type Needs = Pick<Context, 'store' | 'encryption' | 'addressPolicy' | 'confirmCredential' | 'now'>;

/** Sets the account-level URL, or removes it with null. Throws `Refusal` VALIDATION_FAILED for an address that is not public. */
export async function setWebhookUrl(context: Needs, scope: Scope, url: string | null): Promise<void> {
  checkTargetUrl(url, 'webhookUrl', context.addressPolicy);
  const now = context.now();
  // Deliveries need a secret from the first moment on, so it is there before the URL is.
  await ensureSettingsSecret(context, scope);
  await inTransaction(context.store, async (session) => {
    await context.confirmCredential(scope);
    const isChanged = await setSettingsUrl(context.store, scope.actingAccountId, { url, now, session });
    if (isChanged) await recordAudit(context.store, changedEntry(scope, url, now), session);
  });
}

const changedEntry = (scope: Scope, url: string | null, at: Date): AuditEntry =>
  auditBy(scope, {
    ...{ kind: 'webhook_url_changed', at, details: { origin: url === null ? null : originOf(url) } },
    message:
      url === null
        ? "The account's webhook URL was removed"
        : `The account's webhook URL was set, to an address at ${originOf(url)}`,
  });
