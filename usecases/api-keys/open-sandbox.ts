import { Refusal } from '../../core/errors.ts';
import { accountId, type AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { SandboxUnavailable, type SandboxUsers } from '../../gateways/marketplace/port.ts';
import { runExclusive } from '../../store/accounts/accounts.ts';
import { findSandboxOf, insertSandbox } from '../../store/accounts/sandboxes.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { connectMarketplace, findMarketplaceConnection } from '../../store/marketplace/marketplace-connections.ts';
import type { Context } from '../context.ts';

type Needs = Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'logger' | 'now' | 'newId'>;

/**
 * Returns the caller's sandbox: the account that its test keys act as, connected to the simulated marketplace. The first call
 * makes it; a call after the marketplace forgot its user connects it again. Throws {@link Refusal} UNAVAILABLE.
 */
export async function openSandbox(context: Needs, scope: Scope, users: SandboxUsers): Promise<AccountId> {
  const { store } = context;
  const found = await findSandboxOf(store, scope.actingAccountId);
  if (found !== null && (await findMarketplaceConnection(store, found))?.state === 'connected') return found;
  const id = found ?? accountId(context.newId());
  const token = await openUser(context, users, id);
  return storeSandbox(context, scope, { id, isNew: found === null, token });
}

async function openUser({ logger }: Needs, users: SandboxUsers, userId: string): Promise<string> {
  try {
    return await users.open(userId);
  } catch (error) {
    if (!(error instanceof SandboxUnavailable)) throw error;
    logger.warn({ reason: error.message, err: error.cause }, 'sandbox.unavailable');
    const message = 'The marketplace of the sandbox can not be reached; try again';
    throw new Refusal('UNAVAILABLE', message, { retryAfterSeconds: 30, cause: error });
  }
}

/** The account's turn comes first: of two calls at once one makes the sandbox, and a suspension sees it or stops it. */
function storeSandbox(
  { store, encryption, confirmCredential, now }: Needs,
  scope: Scope,
  { id, isNew, token }: { readonly id: AccountId; readonly isNew: boolean; readonly token: string },
): Promise<AccountId> {
  const owner = scope.actingAccountId;
  return inTransaction(store, async (session) => {
    await runExclusive(store, owner, session);
    const present = await findSandboxOf(store, owner, session);
    if (isNew && present !== null) return present;
    await confirmCredential(scope);
    const at = now();
    if (isNew) await insertSandbox(store, { _id: id, sandboxOf: owner, name: 'Sandbox', createdAt: at }, session);
    const tokenEncrypted = encryption.encrypt(token, secretContexts.marketplaceToken(id));
    await connectMarketplace(store, id, { marketplaceUserId: id, isSandbox: true, tokenEncrypted, now: at, session });
    return id;
  });
}
