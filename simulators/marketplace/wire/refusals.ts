import { Refusal } from '../../kit/fields.ts';

/** The marketplace's codes are names of the status; no other code is documented. */
const codes: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  500: 'InternalServerError',
};

const refusal = (status: number, message: string): Refusal => new Refusal(status, codes[status] ?? 'Error', message);

export const badRequest = (message: string): Refusal => refusal(400, message);
export const unauthorized = (message: string): Refusal => refusal(401, message);
export const forbidden = (message: string): Refusal => refusal(403, message);
export const notFound = (what: string): Refusal => refusal(404, `there is no ${what}`);
export const tooManyRequests = (message: string): Refusal => refusal(429, message);
/** What the real one was seen to answer to a shipping option that it does not know. */
export const serverError = (message: string): Refusal => refusal(500, message);

/** The body of every refusal, also of those that the kit makes. */
export function errorBody({ status, code, message }: Refusal): unknown {
  return { error: { code: codes[status] ?? code, message } };
}
