import { auditBy, type AuditEntry } from '../accounts/rules/audit-entry.ts';
import type { Scope } from '../rules/scope.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { runExclusive } from '../accounts/store/accounts.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  claimShowingSecret,
  setSettingsUrl,
  replaceSettingsSecret,
  ensureSettings,
  findSettings,
  type WebhookSettingsRow,
} from './store/webhook-settings.ts';
import type { Context } from '../context.ts';
import { calledHostOf, checkTargetUrl, originOf, prepareSecret } from './webhook-target.ts';

type Needs = Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>;

/** Each round but the last was overtaken by another write of the same row. */
const roundsMax = 5;

/**
 * Returns the account-level URL and its secret; a missing secret is created here. Only the first reader gets the secret in full,
 * also when setting the URL created it. All later readers get it masked.
 */
export async function readWebhookSettings(context: Needs, scope: Scope) {
  const place = secretContexts.webhookSettings(scope.actingAccountId);
  let row = await ensureSettingsSecret(context, scope);
  for (let round = 1; !row.secretShown; round += 1) {
    await context.confirmCredential(scope);
    const isFirst = await claimShowingSecret(context.store, row);
    if (isFirst) return describeSettings(row, context.encryption.decrypt(row.secretEncrypted, place));
    // Another call has shown the secret, or it was encrypted again and not shown yet.
    if (round === roundsMax) break;
    row = await ensureSettingsSecret(context, scope);
  }
  return describeSettings(row, row.secretHint);
}

const describeSettings = ({ url }: WebhookSettingsRow, webhookSecret: string) => ({
  webhookUrl: url,
  ...calledHostOf(url),
  webhookSecret,
});

type SetWebhookUrlNeeds = Pick<Context, 'store' | 'encryption' | 'addressPolicy' | 'confirmCredential' | 'now'>;

/** Sets the account-level URL, or removes it with null. Throws `Refusal` VALIDATION_FAILED for an address that is not public. */
export async function setWebhookUrl(context: SetWebhookUrlNeeds, scope: Scope, url: string | null): Promise<void> {
  checkTargetUrl(url, 'webhookUrl', context.addressPolicy);
  const now = context.now();
  // The secret is stored before the URL, because the first delivery already needs it.
  await ensureSettingsSecret(context, scope);
  await inTransaction(context.store, async (session) => {
    await runExclusive(context.store, scope.actingAccountId, session);
    await context.confirmCredential(scope);
    const isChanged = await setSettingsUrl(context.store, scope.actingAccountId, { url, now, session });
    if (isChanged) await recordAudit(context.store, changedEntry(scope, url, now), session);
  });
}

const changedEntry = (scope: Scope, url: string | null, at: Date): AuditEntry =>
  auditBy(scope, {
    kind: 'webhook_url_changed',
    at,
    details: { origin: url === null ? null : originOf(url) },
  });

/** A new secret for the account-level URL, shown in full only here; the previous one is invalid at once. */
export async function rotateSettingsSecret(
  context: Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>,
  scope: Scope,
) {
  const { secret, stored } = prepareSecret(context.encryption, secretContexts.webhookSettings(scope.actingAccountId));
  const at = context.now();
  const audit = auditBy(scope, { kind: 'webhook_url_secret_rotated', at, details: { secretHint: stored.secretHint } });
  const row = await inTransaction(context.store, async (session) => {
    await runExclusive(context.store, scope.actingAccountId, session);
    await context.confirmCredential(scope);
    await recordAudit(context.store, audit, session);
    return replaceSettingsSecret(context.store, scope.actingAccountId, { secret: stored, now: at, session });
  });
  return describeSettings(row, secret);
}

/** Returns the account-level settings; a missing secret is created and noted in the account's log. */
async function ensureSettingsSecret(
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
    kind: 'webhook_url_secret_generated',
    at,
    details: { secretHint: secret.secretHint },
  });
  await context.confirmCredential(scope);
  return ensureSettings(store, account, { secret, now: at, audit });
}
