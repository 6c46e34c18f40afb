import type { ApiDependencies } from '../../../api/dependencies.ts';
import { accountId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/errors.ts';
import type { Scope } from '../../../core/scope.ts';
import type { WorldOptions } from '../../../test/support/api-world.ts';

/** Mistakes that could be made one day, each behind a switch. */
export const leaks = [
  'a read that does not ask for the account',
  'a revocation that does not ask for the account',
  'an idempotency key that counts for every account',
  'a cursor that says whose events are read',
  'a webhook test that does not ask for the account',
  'sums over every account',
  'a reference that counts for every reseller',
  'a member that counts for every session',
  'a refusal that tells what exists',
] as const;
export type Leak = (typeof leaks)[number];

/** A link that is not asked for at the door is still asked for before the answer. */
const membersForAll: ReadonlySet<Leak> = new Set([
  'a reference that counts for every reseller',
  'a member that counts for every session',
]);

export interface Planted {
  /** null: none leaks. */
  leak: Leak | null;
  /** Whose data gets out. */
  victim: string;
}

/** Works on behalf of the victim whoever calls: what comes of a filter without the account, for the victim's identifiers. */
export const plantLeaks =
  (planted: Planted): NonNullable<WorldOptions['replace']> =>
  (dependencies) => {
    const scopeFor = (leak: Leak, scope: Scope): Scope => {
      if (planted.leak !== leak) return scope;
      const victim = accountId(planted.victim);
      // A credential of its own would be asked for again right before a write: the second fence is not what is tried here.
      return { ...scope, accountId: victim, actingAccountId: victim, credential: { kind: 'system' } };
    };
    return { ...leakyReads(dependencies, planted, scopeFor), ...leakyKeys(dependencies, planted, scopeFor) };
  };

type ScopeFor = (leak: Leak, scope: Scope) => Scope;

function leakyReads({ items, webhooks, analytics }: ApiDependencies, planted: Planted, scopeFor: ScopeFor) {
  return {
    items: {
      ...items,
      readStatus: async (scope: Scope, externalId: string) => {
        const found = items.readStatus(scopeFor('a read that does not ask for the account', scope), externalId);
        if (planted.leak !== 'a refusal that tells what exists') return found;
        return found.catch(async (error: unknown) => {
          await items.readStatus(scopeFor('a refusal that tells what exists', scope), externalId).catch(() => {
            throw error;
          });
          throw new Refusal('NOT_FOUND', 'The item belongs to another account');
        });
      },
    },
    webhooks: {
      ...webhooks,
      readEvents: (...[scope, ...rest]: Parameters<typeof webhooks.readEvents>) =>
        webhooks.readEvents(scopeFor('a cursor that says whose events are read', scope), ...rest),
      sendTest: (...[scope, ...rest]: Parameters<typeof webhooks.sendTest>) =>
        webhooks.sendTest(scopeFor('a webhook test that does not ask for the account', scope), ...rest),
    },
    analytics: { read: (scope: Scope) => analytics.read(scopeFor('sums over every account', scope)) },
  };
}

function leakyKeys(
  { apiKeys, idempotency, authentication }: ApiDependencies,
  planted: Planted,
  scopeFor: ScopeFor,
): Partial<ApiDependencies> {
  return {
    apiKeys: {
      ...apiKeys,
      revoke: (...[scope, ...rest]: Parameters<typeof apiKeys.revoke>) =>
        apiKeys.revoke(scopeFor('a revocation that does not ask for the account', scope), ...rest),
    },
    idempotency: {
      ...idempotency,
      answerOnce: (scope, request) =>
        idempotency.answerOnce(scopeFor('an idempotency key that counts for every account', scope), {
          ...request,
          work: ({ reserved }) => request.work({ ...scope, ...(reserved !== undefined && { reserved }) }),
        }),
    },
    authentication: {
      ...authentication,
      byApiKey: async (claim, ...rest) => {
        if (planted.leak !== 'a reference that counts for every reseller' || claim.partnerAccount === undefined)
          return authentication.byApiKey(claim, ...rest);
        const scope = await authentication.byApiKey({ ...claim, partnerAccount: undefined }, ...rest);
        return { ...scope, accountId: accountId(planted.victim) };
      },
      forMember: async (scope, member) =>
        planted.leak === 'a member that counts for every session'
          ? { ...scope, accountId: accountId(member) }
          : authentication.forMember(scope, member),
      // The second fence: asked again before the answer goes out.
      confirm: async (scope) => {
        if (planted.leak === null || !membersForAll.has(planted.leak)) await authentication.confirm(scope);
      },
    },
  };
}
