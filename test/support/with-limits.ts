import type { Served } from '../../api/http/api-parts.ts';
import { listen } from '../../api/http/listen.ts';
import { createCallerLimits, type RateSettings } from '../../features/accounts/caller-limits.ts';
import { createPlaces } from '../../features/accounts/places.ts';
import { callApi, generousLimits, type ApiWorld, type CallOptions, type Reply } from './api-world.ts';
import type { Context } from '../../features/context.ts';

/** A limit that comes back so slowly that a test never sees it. */
export const few = (burst: number) => ({ burst, perSecond: 1 / 1000 });

export const limitOf = ({ headers }: Reply): string | null => headers.get('ratelimit');

export interface Limited {
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Reply>;
  readonly url: string;
}

let systems = 0;

/** The same system under other limits. Each has callers' addresses of its own, as the address of a test is the same for all. */
export const limitsOn =
  (world: () => ApiWorld) =>
  async (
    limits: Partial<RateSettings>,
    use: (limited: Limited) => Promise<void>,
    options: Partial<Served['parts']> & Partial<Pick<Context, 'places'>> & { readonly nowMs?: () => number } = {},
  ): Promise<void> => {
    const { context, parts } = world().served;
    const { places = createPlaces(), nowMs, ...others } = options;
    const rateLimits = createCallerLimits({ ...generousLimits, ...limits }, nowMs);
    const served = {
      context: { ...context, places },
      parts: { ...parts, rateLimits, trustedProxies: ['loopback'], ...others },
    };
    const api = await listen(served, { host: '127.0.0.1', port: 0 });
    const own = (systems += 1).toString(16);
    const call: Limited['call'] = (method, path, { headers, ...rest } = {}) =>
      callApi(api.url, { method, path, ...rest, headers: { 'x-forwarded-for': `2001:dba:${own}::1`, ...headers } });
    try {
      await use({ call, url: api.url });
    } finally {
      await api.close();
    }
  };
