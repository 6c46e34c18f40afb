import type { Answer, Route, ScopedCall } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';

/** What happens around the handler of a call; `route` is `put /integration/v1/items/{external_id}`. */
type Around = (route: string, call: ScopedCall, handle: (call: ScopedCall) => Promise<Answer>) => Promise<Answer>;

/** The table of the interface, with `around` at every route that asks for a credential. */
export const routesWith = (around: Around): readonly Route[] =>
  routes.map((route) =>
    route.credential === 'none'
      ? route
      : { ...route, handle: (call: ScopedCall) => around(`${route.method} ${route.path}`, call, route.handle) },
  );
