import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { replaceSettingsSecret } from '../../store/webhook-settings.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { prepareSecret } from './prepare-secret.ts';
import type { WebhookSettingsView } from './read-webhook-settings.ts';

/** A new secret for the account-level URL, shown in full only here; the previous one is invalid at once. */
export async function rotateSettingsSecret(
  context: Pick<AccountSideContext, 'store' | 'encryption' | 'now'>,
  scope: Scope,
): Promise<WebhookSettingsView> {
  const { secret, stored } = prepareSecret(context.encryption, secretContexts.webhookSettings(scope.actingAccountId));
  const change = { secret: stored, now: context.now() };
  const row = await replaceSettingsSecret(context.store, scope.actingAccountId, change);
  return { webhookUrl: row.url, webhookSecret: secret };
}
