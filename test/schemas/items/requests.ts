import { Refusal } from '../../../features/rules/errors.ts';
import { readItemRequest } from '../../../schemas/items/read-item-request.ts';
import { said } from '../../support/said.ts';

type Body = Record<string, unknown>;

/** The smallest body that is accepted, with what a test wants to show. */
export const aBody = (changes: Body = {}): Body => ({ title: 'Bromsskiva', price: 150, imageUrls: [], ...changes });

export const aBodyWithDomain = (domain: unknown): Body => aBody({ domain });

/** As it comes from the wire: keys such as `__proto__` are own keys. */
export const parsed = (json: string): unknown => JSON.parse(json);

export function refusalOf(read: () => unknown): Refusal {
  try {
    read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('was not refused');
}

/** The details of the refusal of a body. */
export const problemsOf = (body: unknown) => said(refusalOf(() => readItemRequest(body)).details ?? []);
