import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { MarketplaceError } from './port.ts';
import { maybe, maybeText, shortened, told } from './wire-kit.ts';

/**
 * - `read`: no effect, and may be repeated.
 * - `draft`: makes a draft or adds to it. Whatever comes of it, nothing is up.
 * - `write`: may have taken effect whatever the answer says, unless it is a success that can be read.
 */
export type CallEffect = 'read' | 'draft' | 'write';

export interface Refused {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Parsed; undefined when it is no JSON. */
  readonly body: unknown;
  readonly text: string;
}

/** The marketplace's calls are counted over 24 hours, so a minute would only use up tries. */
const defaultRetryAfterMs = 3_600_000;
/** Too large for the server in front of the marketplace; a retry would be too large as well. */
const tooLarge: ReadonlySet<number> = new Set([413, 414, 431]);
/** Statuses by which ASP.NET refuses what it read and did not like, in words of its own or of the marketplace. */
const notLiked: ReadonlySet<number> = new Set([400, 422]);

/** What an answer outside 2xx means; 401 and 403 need another look (marketplace-http.ts). */
export function refusalOf(refused: Refused, effect: CallEffect): MarketplaceError {
  const { status } = refused;
  const said = wordsOf(refused);
  const message = said?.text ?? `the marketplace answered HTTP ${status}`;
  if (status === 429)
    return new MarketplaceError('budget_exhausted', message, {
      status,
      retryAfterMs: retryAfterMs(refused.retryAfter),
    });
  if (effect === 'read') return new MarketplaceError('unavailable', message, { status });
  const isUnderstood = tooLarge.has(status) || notLiked.has(status) || (said?.isOfMarketplace === true && status < 500);
  return effect === 'draft' && isUnderstood && status !== 408
    ? new MarketplaceError('refused', message, { status })
    : new MarketplaceError('outcome_unknown', message, { status });
}

const known = Compile(
  Type.Object({
    error: maybe(Type.Object({ code: maybeText, message: maybeText })),
    title: maybeText,
    errors: maybe(Type.Record(Type.String(), Type.Array(Type.String()))),
  }),
);

/** The refusal in words: of the documented form, of ASP.NET's own validation, or as plain text. */
function wordsOf({ body, text }: Refused): { readonly text: string; readonly isOfMarketplace: boolean } | null {
  if (!known.Check(body)) return plainWords(text);
  const { error, title, errors } = body;
  const said = told(error?.message) ?? told(error?.code);
  if (said !== null) return { text: shortened(said), isOfMarketplace: true };
  const fields = Object.entries(errors ?? {}).map(([field, messages]) => `${field}: ${messages.join(' ')}`);
  const validation = fields.length > 0 ? fields.join('; ') : told(title);
  return validation === null ? null : { text: shortened(validation), isOfMarketplace: true };
}

/** A page of a server in between is no answer of the marketplace. */
function plainWords(text: string): { readonly text: string; readonly isOfMarketplace: false } | null {
  const said = told(text.replaceAll(/\s+/g, ' '));
  return said === null || said.startsWith('<') || said.startsWith('{') || said.startsWith('[')
    ? null
    : { text: shortened(said), isOfMarketplace: false };
}

/** Seconds or an HTTP date → milliseconds from now. */
function retryAfterMs(header: string | undefined): number {
  if (header === undefined) return defaultRetryAfterMs;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? defaultRetryAfterMs : Math.max(0, ms);
}
