import Type from 'typebox';
import { told } from '../../features/rules/field-problems.ts';
import {
  BadValue,
  cursorParameter,
  cursorTime,
  isoTime,
  periodParameters,
  readListCursor,
  readQuery,
  wholeNumber,
  writeListCursor,
  type ParameterReader,
} from '../query.ts';
import { decimalNumber, time } from '../fields.ts';

const nullable = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const entrySchema = Type.Object(
  {
    id: Type.String({ description: 'Unique; an entry never changes' }),
    at: time('When the call began'),
    method: Type.String({ examples: ['PUT'] }),
    path: Type.String({ description: 'Without its query', examples: ['/integration/v1/items/A1'] }),
    status: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'HTTP status of the answer; null when the caller went away before it',
    }),
    code: nullable('`code` of the refusal; null for an answer that is none'),
    fields: Type.Array(Type.String(), { description: 'The fields that were refused, as in `details`; at most 20' }),
    requestId: Type.String({ description: '`X-Request-Id` of the answer' }),
    durationMs: decimalNumber({
      description: 'From the head of the request to the end of the answer, in milliseconds',
    }),
    keyId: Type.String({ description: 'Id of the API key that was sent' }),
    memberUserId: nullable('The member that the call was for (`X-Partner-Account`); null for the own account'),
  },
  { $id: 'LoggedCall', description: 'One call with an API key. Bodies and queries are not kept' },
);

export const requestLogSchema = Type.Object(
  {
    calls: Type.Array(entrySchema, { description: 'Newest first' }),
    nextCursor: nullable('`cursor` of the next page; null when there is nothing older'),
  },
  { $id: 'RequestLog', title: 'RequestLog', description: 'The last calls with the API keys of an account' },
);

const limits = { min: 1, max: 500, standard: 100 } as const;
const statusForm = /^(refused|[1-5]xx|[1-5]\d\d)$/;
const text = (maxLength: number, examples: string[]) => Type.String({ minLength: 1, maxLength, examples });

export const requestLogParameters = {
  limit: {
    description: `At most so many calls; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  cursor: cursorParameter,
  status: {
    description: 'Only calls with this status: one (`422`), a class (`4xx`), or `refused`, all that failed',
    schema: Type.String({ pattern: statusForm.source, examples: ['refused'] }),
  },
  path: { description: 'Only calls with this text in their path', schema: text(500, ['/items/A1']) },
  keyId: { description: 'Only calls with this key', schema: text(100, ['f4a1c2d3-5b6e-4f70-8192-a3b4c5d6e7f8']) },
  requestId: { description: 'Only the call with this `X-Request-Id`', schema: text(128, ['night-run-17']) },
  ...periodParameters('Only calls'),
};

const upTo =
  (lengthMax: number): ParameterReader<string> =>
  (raw) =>
    raw.length >= 1 && raw.length <= lengthMax && !raw.includes('\0')
      ? raw
      : new BadValue(told('wrong_length_or_nul', { max: lengthMax }));

const statusRange: ParameterReader<'refused' | { readonly from: number; readonly to: number }> = (raw) => {
  if (!statusForm.test(raw)) return new BadValue(told('not_status_filter'));
  if (raw === 'refused') return raw;
  return { from: Number(raw.replace('xx', '00')), to: Number(raw.replace('xx', '99')) };
};

const readers = {
  limit: wholeNumber(limits),
  cursor: upTo(2_000),
  status: statusRange,
  path: upTo(500),
  keyId: upTo(100),
  requestId: upTo(128),
  since: isoTime,
  until: isoTime,
};

type RequestLogFilter = Omit<ReturnType<typeof readQuery<typeof readers>>, 'limit' | 'cursor'>;

interface Position {
  readonly at: Date;
  /** 24 hexadecimal digits. */
  readonly id: string;
}

export interface RequestLogQuery {
  readonly filter: RequestLogFilter;
  readonly before: Position | null;
  readonly limit: number;
}

/** Throws Refusal BAD_REQUEST, also for a cursor that was issued for other filters. */
export function readRequestLogQuery(query: Readonly<Record<string, string>>): RequestLogQuery {
  const { limit = limits.standard, cursor, ...filter } = readQuery(query, readers);
  return { filter, limit, before: cursor === undefined ? null : readCursor(cursor, filter) };
}

/** The cursor of the next page, bound to the filters. */
export const writeRequestLogCursor = ({ at, id }: Position, filter: RequestLogFilter): string =>
  writeListCursor([at.getTime(), id], filterText(filter));

const readCursor = (raw: string, filter: RequestLogFilter): Position =>
  readListCursor(raw, filterText(filter), ([time, id, ...rest]) => {
    const at = cursorTime(time);
    const isPosition = at !== undefined && typeof id === 'string' && /^[\da-f]{24}$/.test(id) && rest.length === 0;
    return isPosition ? { at, id } : undefined;
  });

const filterText = ({ status, path, keyId, requestId, since, until }: RequestLogFilter): string =>
  JSON.stringify([status, path, keyId, requestId, since, until]);
