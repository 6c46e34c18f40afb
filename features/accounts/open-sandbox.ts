import { Refusal } from '../rules/errors.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { SandboxUnavailable, type SandboxUsers } from '../../gateways/marketplace/port.ts';
import { runExclusive } from './store/accounts.ts';
import { findSandboxOf, insertSandbox } from './store/sandboxes.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { connectMarketplace, findMarketplaceConnection } from '../listings/store/marketplace-connections.ts';
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
  const user = await openUser(context, users, id);
  return storeSandbox(context, scope, { id, isNew: found === null, user });
}

type SandboxUser = Awaited<ReturnType<SandboxUsers['open']>>;

async function openUser({ logger }: Needs, users: SandboxUsers, name: string): Promise<SandboxUser> {
  try {
    return await users.open(name);
  } catch (error) {
    if (!(error instanceof SandboxUnavailable)) throw error;
    logger.warn({ reason: error.message, err: error.cause }, 'sandbox.unavailable');
    const message = 'The marketplace of the sandbox can not be reached; try again';
    throw new Refusal('UNAVAILABLE', message, { retryAfterSeconds: 30, cause: error });
  }
}

/**
 * The account takes its turn first. So of two simultaneous calls one makes the sandbox, and a suspension either marks
 * it or prevents it.
 */
function storeSandbox(
  { store, encryption, confirmCredential, now }: Needs,
  scope: Scope,
  { id, isNew, user }: { readonly id: AccountId; readonly isNew: boolean; readonly user: SandboxUser },
): Promise<AccountId> {
  const owner = scope.actingAccountId;
  return inTransaction(store, async (session) => {
    await runExclusive(store, owner, session);
    const present = await findSandboxOf(store, owner, session);
    if (isNew && present !== null) return present;
    await confirmCredential(scope);
    const at = now();
    if (isNew) await insertSandbox(store, { _id: id, sandboxOf: owner, name: 'Sandbox', createdAt: at }, session);
    const { marketplaceUserId } = user;
    const tokenEncrypted = encryption.encrypt(user.token, secretContexts.marketplaceToken(id));
    const given = { marketplaceUserId, isSandbox: true, tokenEncrypted, tokenExpiresAt: null } as const;
    await connectMarketplace(store, id, { ...given, now: at, session });
    return id;
  });
}
