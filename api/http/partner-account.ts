import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../features/rules/errors.ts';
import type { KeyHolder } from '../../features/rules/scope.ts';

/** The header `X-Partner-Account`: the reseller's reference of the member that a call is for. features/resellers/partner-account.ts finds it. */
export const partnerAccountOf = (headers: IncomingHttpHeaders): string | undefined =>
  single(headers['x-partner-account']);

/** Where the header has no effect: ignoring it would answer for the reseller's own account. Throws {@link Refusal} BAD_REQUEST. */
export function refusePartnerAccount(headers: IncomingHttpHeaders, why: string, holder?: KeyHolder): void {
  if (headers['x-partner-account'] !== undefined) throw new Refusal('BAD_REQUEST', why, { holder });
}

export const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;
