import Type from 'typebox';
import { told } from '../../features/rules/field-problems.ts';
import { auditActorKinds, auditKinds } from '../../features/accounts/rules/audit-entry.ts';
import type { LogPosition } from '../../features/accounts/rules/log-row.ts';
import { journalKinds } from '../../features/items/rules/journal.ts';
import { entryDetails, time } from '../fields.ts';
import {
  BadValue,
  cursorParameter,
  cursorTime,
  isoTime,
  oneOf,
  periodParameters,
  readListCursor,
  readQuery,
  wholeNumber,
  writeListCursor,
  type ParameterReader,
} from '../query.ts';

/** Each kind once: some kinds exist for accounts and for items. */
const kinds = [...new Set([...auditKinds, ...journalKinds])];
const nullable = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const kindSchema = Type.Enum(kinds, { $id: 'AuditKind', description: 'What an entry is about' });
const actorKindSchema = Type.Enum([...auditActorKinds], {
  $id: 'AuditActorKind',
  description:
    'Who did it: your own API key or dashboard, your reseller, the service, the marketplace, who runs the service (`operator`), an account that joined you (`member`), the payment processor (`payments`)',
});

const logEntrySchema = Type.Object(
  {
    id: Type.String({ description: 'Unique; an entry never changes' }),
    at: time('When it happened'),
    kind: kindSchema,
    message: Type.String({ description: 'A sentence for people, in English' }),
    userId: Type.String({ description: 'The account that it happened to' }),
    actor: Type.Object(
      {
        kind: actorKindSchema,
        userId: nullable('The account that did it; null when it was none'),
        keyId: nullable('The API key it was done with, when it was one of your own'),
      },
      { $id: 'AuditActor', description: 'Who did it' },
    ),
    requestId: nullable('`X-Request-Id` of the request that did it'),
    externalId: nullable('The item it is about; null when it is about the account'),
    details: entryDetails,
  },
  { $id: 'AuditLogEntry', description: 'Something that was done to an account or its items' },
);

/** The answer of `GET /partner/audit-log`. */
export const auditLogSchema = Type.Object(
  {
    entries: Type.Array(logEntrySchema, { description: 'Newest first' }),
    nextCursor: nullable(
      '`cursor` of the next page; null when there is nothing older. With `kind` or `actor` a page may have fewer entries than `limit`, even none, and still a next one',
    ),
  },
  { $id: 'AuditLog', title: 'AuditLog', description: 'Who did what for whom' },
);

const limits = { min: 1, max: 500, standard: 100 } as const;

export const auditLogParameters = {
  limit: {
    description: `At most so many entries; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  cursor: cursorParameter,
  kind: { description: 'Only entries of this kind', schema: kindSchema },
  actor: { description: 'Only what was done by such an actor', schema: actorKindSchema },
  externalId: {
    description: 'Only what was done to the items that have or had this external id',
    schema: Type.String({ minLength: 1, maxLength: 255 }),
  },
  ...periodParameters('Only what happened'),
  view: {
    description:
      '`own` (the default): what happened to your account and its items. `acting`: what you did to the items of your members, as their reseller',
    schema: Type.Enum(['own', 'acting'], { $id: 'AuditView' }),
  },
};

const text =
  (lengthMax: number): ParameterReader<string> =>
  (raw) =>
    raw.length >= 1 && raw.length <= lengthMax ? raw : new BadValue(told('wrong_length', { max: lengthMax }));

const readers = {
  limit: wholeNumber(limits),
  cursor: text(2_000),
  kind: oneOf(kinds),
  actor: oneOf(auditActorKinds),
  externalId: text(255),
  since: isoTime,
  until: isoTime,
  view: oneOf(['own', 'acting']),
};

export type AuditLogFilter = Omit<ReturnType<typeof readQuery<typeof readers>>, 'limit' | 'cursor' | 'view'> & {
  readonly view: 'own' | 'acting';
};

export interface AuditLogQuery {
  readonly filter: AuditLogFilter;
  readonly before: LogPosition | null;
  readonly limit: number;
}

/** Throws Refusal BAD_REQUEST, also for a cursor that was issued for other filters. */
export function readAuditLogQuery(query: Readonly<Record<string, string>>): AuditLogQuery {
  const { limit = limits.standard, cursor, view = 'own', ...rest } = readQuery(query, readers);
  const filter = { ...rest, view };
  return { filter, limit, before: cursor === undefined ? null : readCursor(cursor, filter) };
}

/** The cursor of the next page, bound to the filters. */
export const writeLogCursor = ({ at, number, id }: LogPosition, filter: AuditLogFilter): string =>
  writeListCursor([at.getTime(), number, id], filterText(filter));

const readCursor = (raw: string, filter: AuditLogFilter): LogPosition =>
  readListCursor(raw, filterText(filter), ([time, number, id, ...rest]) => {
    const at = cursorTime(time);
    const isNumber = typeof number === 'number' && Number.isSafeInteger(number);
    const isPosition = at !== undefined && isNumber && typeof id === 'string' && rest.length === 0;
    return isPosition ? { at, number, id } : undefined;
  });

const filterText = ({ view, kind, actor, externalId, since, until }: AuditLogFilter): string =>
  JSON.stringify([view, kind, actor, externalId, since, until]);
