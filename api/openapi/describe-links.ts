import { isForMembers, type Route } from '../http/route.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * `links` of an operation's answer with `schema`: the next operations of its caller, and the source of their path parameters.
 * They are derived from the route table. A caller that writes a path can use all paths below it. A caller that creates or lists
 * objects can use all operations on one of them.
 */
export function describeLinks(route: Route, schema: unknown, routes: readonly Route[]): Json {
  const links = routes
    .filter((target) => target !== route && isSameCaller(route, target))
    .flatMap((target) => {
      const parameters = parametersFor(route, target, schema);
      return parameters === undefined ? [] : [[target.name, { operationId: target.name, parameters }] as const];
    });
  return Object.fromEntries(links);
}

const isSameCaller = (one: Route, other: Route): boolean =>
  one.credential === other.credential && isForMembers(one) === isForMembers(other);

/** Returns the sources of the target's path parameters; undefined when the answer does not lead there. */
function parametersFor(source: Route, target: Route, schema: unknown): Json | undefined {
  const names = parametersOf(target.path);
  if (names.length === 0 || source.method === 'delete' || source.method === 'patch') return undefined;
  if (source.method === 'put' && isAtOrBeneath(target.path, source.path) && source.path.includes('{'))
    return Object.fromEntries(names.map((name) => [name, `$request.path.${name}`]));
  const [name = ''] = names;
  if (names.length !== 1 || !isAtOrBeneath(target.path, `${source.path}/{${name}}`)) return undefined;
  const pointer = pointerTo(fieldOf[name] ?? name, schema);
  return pointer === undefined ? undefined : { [name]: `$response.body#${pointer}` };
}

/** Names of path parameters in bodies. */
const fieldOf: Readonly<Record<string, string>> = { external_id: 'externalId' };

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const isAtOrBeneath = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

/** Pointer to a field of the answer, or of the first element of a list in it. */
function pointerTo(name: string, schema: unknown): string | undefined {
  const properties = field(schema, 'properties');
  if (field(properties, name) !== undefined) return `/${name}`;
  if (typeof properties !== 'object' || properties === null) return undefined;
  const list = Object.entries(properties).find(([, part]) => field(itemFields(part), name) !== undefined);
  return list === undefined ? undefined : `/${list[0]}/0/${name}`;
}

const itemFields = (schema: unknown): unknown => field(field(schema, 'items'), 'properties');

const field = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
