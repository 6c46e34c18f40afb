import type { SenderStop } from './rules/bulk-sync.ts';
import { Refusal } from '../rules/errors.ts';
import type { Scope } from '../rules/scope.ts';
import { isSuspended } from '../accounts/store/accounts.ts';
import { isKeyActive } from '../accounts/store/api-keys.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { isMemberOf } from '../resellers/store/member-connections.ts';
import { unknownAccount } from './read-upload.ts';

/** The sender of a bulk sync may no longer write the account; lines fail with `refusal`. */
export class SenderGone extends Error {
  override readonly name = 'SenderGone';
  readonly stoppedBy: SenderStop;
  readonly refusal: Refusal;

  constructor(stoppedBy: SenderStop, message: string) {
    super(message);
    this.stoppedBy = stoppedBy;
    this.refusal = new Refusal(stoppedBy, message);
  }
}

/**
 * Checks before each chunk and each write that the sender may still write the account. A revoked or expired key stops the lines it has sent,
 * and so do a suspended account and an ended membership. A session only has to be open when the upload is accepted. Throws
 * {@link SenderGone}.
 */
export async function confirmSender(
  { store, now }: { readonly store: StoreConnection; readonly now: () => Date },
  { accountId, actingAccountId, credential }: Scope,
): Promise<void> {
  const [mayAct, isLinked] = await Promise.all([
    credential.kind === 'api-key'
      ? isKeyActive(store, actingAccountId, { keyId: credential.keyId, now: now() })
      : isSuspended(store, actingAccountId).then((is) => !is),
    accountId === actingAccountId || isMemberOf(store, actingAccountId, accountId),
  ]);
  if (!mayAct)
    throw new SenderGone(
      'UNAUTHORIZED',
      'The API key that sent the bulk sync was revoked or has expired, or its account is suspended',
    );
  if (!isLinked) throw new SenderGone('PARTNER_ACCOUNT_FORBIDDEN', unknownAccount().message);
}
