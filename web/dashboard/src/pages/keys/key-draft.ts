import type { KeyMode, KeyScope, NewApiKey } from '../../../../../client/generated/types.gen.ts';

/** In the order of the form. */
export const keyScopes = [
  'items:read',
  'items:write',
  'orders:read',
  'orders:write',
  'webhooks:read',
  'webhooks:write',
] as const satisfies readonly KeyScope[];

/** Days until a key ends; '' means never. */
export const lifetimes = ['', '30', '90', '365'] as const;
export type Lifetime = (typeof lifetimes)[number];

/** The content of the form. */
export interface KeyDraft {
  readonly name: string;
  /** undefined: the service's default. */
  readonly mode: KeyMode | undefined;
  readonly isForAll: boolean;
  readonly scopes: readonly KeyScope[];
  readonly lifetime: Lifetime;
  /** Separated by commas, blanks or lines. */
  readonly addresses: string;
}

export const newKeyDraft: KeyDraft = {
  name: '',
  mode: undefined,
  isForAll: true,
  scopes: [],
  lifetime: '',
  addresses: '',
};

/** No scope is ticked, which the service would refuse. */
export const lacksScopes = ({ isForAll, scopes }: KeyDraft): boolean => !isForAll && scopes.length === 0;

/** Keeps the order of the form. */
export const withScope = (draft: KeyDraft, scope: KeyScope, isTicked: boolean): KeyDraft => ({
  ...draft,
  scopes: keyScopes.filter((one) => (one === scope ? isTicked : draft.scopes.includes(one))),
});

const dayMs = 86_400_000;

/** Empty restrictions are left out. `now` in ms since 1970. */
export function keyBodyOf({ name, mode, isForAll, scopes, lifetime, addresses }: KeyDraft, now: number): NewApiKey {
  const named = addresses.split(/[\s,;]+/).filter((text) => text !== '');
  return {
    name: name.trim(),
    ...(mode !== undefined && { mode }),
    ...(!isForAll && { scopes: [...scopes] }),
    ...(lifetime !== '' && { expiresAt: new Date(now + Number(lifetime) * dayMs).toISOString() }),
    ...(named.length > 0 && { addresses: named }),
  };
}
