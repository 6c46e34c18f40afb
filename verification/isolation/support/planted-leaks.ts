import { handleOnce } from '../../../api/http/idempotency.ts';
import type { Answer, Route, ScopedCall } from '../../../api/http/route.ts';
import { accountId } from '../../../features/rules/ids.ts';
import { Refusal } from '../../../features/rules/errors.ts';
import { fingerprintOf } from '../../../platform/security/fingerprint.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import type { WorldOptions } from '../../../test/support/api-world.ts';
import { routesWith } from '../../../test/support/around-calls.ts';

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

/** Has calls of other accounts work on behalf of the victim: what comes of a filter without the account, for the victim's identifiers. */
export const plantLeaks = (planted: Planted): Pick<WorldOptions, 'routes' | 'replace'> => ({
  routes: leakyRoutes(planted).map((route) =>
    nameOf(route) === keyedRoute && route.credential !== 'none' ? onceForAll(route, planted) : route,
  ),
  replace: (context) => ({
    store: leakyStore(context.store, planted),
    // The second fence: asked again before the answer goes out.
    confirmCredential: async (scope) => {
      if (planted.leak === null || !membersForAll.has(planted.leak)) await context.confirmCredential(scope);
    },
  }),
});

const leakyRoutes = (planted: Planted): readonly Route[] =>
  routesWith((route, call, handle) => {
    const { leak } = planted;
    if (leak === null || routesOf[leak] !== route) return handle(call);
    const leaky = () => handle(asVictim(call, planted));
    return leak === 'a refusal that tells what exists' ? tellingWhatExists(() => handle(call), leaky) : leaky();
  });

/** A credential of its own would be asked for again right before a write: the second fence is not what is tried here. */
const asVictim = (call: ScopedCall, { victim }: Planted): ScopedCall => ({
  ...call,
  scope: {
    ...call.scope,
    accountId: accountId(victim),
    actingAccountId: accountId(victim),
    credential: { kind: 'system' },
  },
});

/** Where each leak of a handler is. */
const routesOf: Partial<Readonly<Record<Leak, string>>> = {
  'a read that does not ask for the account': 'get /integration/v1/items/{external_id}',
  'a refusal that tells what exists': 'get /integration/v1/items/{external_id}',
  'a revocation that does not ask for the account': 'delete /integration/api-keys/{id}',
  'a cursor that says whose events are read': 'get /integration/events',
  'a webhook test that does not ask for the account': 'post /integration/webhooks/{id}/test',
  'sums over every account': 'get /partner/analytics',
};

async function tellingWhatExists(read: () => Promise<Answer>, readAsVictim: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    await readAsVictim().catch(() => {
      throw error;
    });
    throw new Refusal('NOT_FOUND', 'The item belongs to another account');
  }
}

const keyedRoute = 'post /integration/webhooks';
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** Its key is looked for as the victim's while that is the leak; what a call does, it does for its own account. */
function onceForAll(route: KeyedRoute, planted: Planted): Route {
  const { idempotent: _planted, ...others } = route;
  const handle = (call: ScopedCall): Promise<Answer> => {
    const isLeak = planted.leak === 'an idempotency key that counts for every account';
    const work = ({ scope: { reserved }, context }: ScopedCall) =>
      route.handle({ ...call, context, scope: { ...call.scope, ...(reserved && { reserved }) } });
    const digest = fingerprintOf(Buffer.from(JSON.stringify(call.body)));
    return handleOnce({ ...route, handle: work }, isLeak ? asVictim(call, planted) : call, digest);
  };
  return { ...others, handle };
}

type KeyedRoute = Exclude<Route, { readonly credential: 'none' }>;

/** A reseller's reference means the victim, and a session may turn to any account, while that is the leak. */
function leakyStore(store: StoreConnection, planted: Planted): StoreConnection {
  const answer = (rows: readonly object[]) => ({ toArray: () => Promise.resolve(rows) });
  const leakyFind = (filter: MemberFilter) => {
    if (planted.leak === 'a reference that counts for every reseller' && filter.externalId !== undefined)
      return answer(filter.externalId.$in.map((externalId) => ({ externalId, memberAccountId: planted.victim })));
    if (planted.leak === 'a member that counts for every session' && filter.memberAccountId !== undefined)
      return answer(filter.memberAccountId.$in.map((memberAccountId) => ({ memberAccountId })));
    return undefined;
  };
  const collection = (target: object) =>
    withProperty(
      target,
      'find',
      (find) =>
        (filter: MemberFilter, ...rest: unknown[]) =>
          leakyFind(filter) ?? (Reflect.apply(find as () => unknown, target, [filter, ...rest]) as unknown),
    );
  const model = (target: object) => withProperty(target, 'collection', (found) => collection(found as object));
  const models = (target: object) => withProperty(target, 'member_connections', (found) => found && model(found));
  return { ...store, connection: withProperty(store.connection, 'models', (found) => models(found as object)) };
}

interface MemberFilter {
  readonly externalId?: { readonly $in: readonly string[] };
  readonly memberAccountId?: { readonly $in: readonly string[] };
}

const withProperty = <Target extends object>(
  target: Target,
  name: string,
  change: (value: unknown) => unknown,
): Target =>
  new Proxy(target, {
    get: (of, wanted) => {
      const value: unknown = Reflect.get(of, wanted);
      return wanted === name ? change(value) : value;
    },
  });
