import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { ensureSettings, setSettingsUrl } from '../../store/webhook-settings.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { checkTargetUrl } from './check-target.ts';
import { prepareSecret } from './prepare-secret.ts';

type Context = Pick<AccountSideContext, 'store' | 'encryption' | 'addressPolicy' | 'now'>;

/** Sets the account-level URL, or removes it with null. Throws `Refusal` VALIDATION_FAILED for an address that is not public. */
export async function setWebhookUrl(context: Context, scope: Scope, url: string | null): Promise<void> {
  checkTargetUrl(url, 'webhookUrl', context.addressPolicy);
  const { stored } = prepareSecret(context.encryption, secretContexts.webhookSettings(scope.actingAccountId));
  const now = context.now();
  // Deliveries need a secret from the first moment on, so it is there before the URL is.
  await ensureSettings(context.store, scope.actingAccountId, { secret: stored, now });
  await setSettingsUrl(context.store, scope.actingAccountId, { url, now });
}
