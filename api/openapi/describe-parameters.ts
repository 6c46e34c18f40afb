import type { TSchema } from 'typebox';
import Type from 'typebox';
import { idempotencyKey } from '../http/idempotency.ts';
import { isForMembers, isIdempotent, takesMembers, type Parameter, type Route } from '../http/route.ts';
import type { Components } from './components.ts';

type Json = Readonly<Record<string, unknown>>;
type Place = 'path' | 'query' | 'header' | 'cookie';

/** `parameters` of an operation: those of its row, and those that its kind of row has. */
export function describeParameters(route: Route, components: Components): Json[] {
  const { params = {}, query = {}, headers = {}, cookies = {} } = route;
  const all: readonly (readonly [Place, Readonly<Record<string, Parameter>>])[] = [
    ['path', params],
    ['query', { ...query, ...(isForMembers(route) && { member }) }],
    ['header', { ...headers, ...(isIdempotent(route) && { 'Idempotency-Key': idempotencyKey }) }],
    ['cookie', cookies],
    ['header', takesMembers(route) ? { 'X-Partner-Account': partnerAccount } : {}],
  ];
  return all.flatMap(([place, parameters]) =>
    Object.entries(parameters).map(([name, parameter]) => describe({ name, in: place }, parameter, components)),
  );
}

function describe(
  { name, in: place }: { readonly name: string; readonly in: Place },
  { component, required, description, schema }: Parameter,
  components: Components,
): Json {
  const [example] = examplesOf(schema);
  const part = {
    ...{ name, in: place, required: place === 'path' || required === true, description },
    schema: components.refer(schema),
    ...(example !== undefined && { example }),
  };
  return component === undefined ? part : components.share('parameters', component, part);
}

const examplesOf = (schema: TSchema): readonly unknown[] =>
  'examples' in schema && Array.isArray(schema.examples) ? schema.examples : [];

const member: Parameter = {
  component: 'Member',
  description: 'User id or reference of the member that a reseller acts for; 404 when the account has no such member',
  schema: Type.String({ minLength: 1, examples: ['3f0c5d0e-8a7b-4d53-9a43-6a1c2f5e7b90'] }),
};

const partnerAccount: Parameter = {
  component: 'PartnerAccount',
  description: "A reseller's reference of the member to act for",
  schema: Type.String({ examples: ['butik-malmo'] }),
};
