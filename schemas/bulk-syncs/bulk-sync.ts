import Type from 'typebox';
import {
  bulkModes,
  bulkStates,
  leftOutModes,
  senderStops,
  type BulkMode,
  type LeftOutMode,
  type SenderStop,
} from '../../features/bulk-syncs/rules/bulk-sync.ts';
import { errorCodeSchema, fieldProblemFields, fieldProblemSchema } from '../errors.ts';
import { nullableTime, time } from '../fields.ts';
import { oneOf, readQuery } from '../query.ts';

const bulkModeSchema = Type.Enum([...bulkModes], {
  $id: 'BulkSyncMode',
  description: '`merge` leaves items alone that the file leaves out; `snapshot` takes them down',
});

const leftOutSchema = Type.Enum([...leftOutModes], {
  $id: 'BulkSyncLeftOut',
  description: '`empty`: a line replaces its item; `keep`: what it leaves out stays as it is',
});

export const bulkSyncParameters = {
  mode: {
    component: 'BulkSyncModeWanted',
    description:
      '`merge` (default): items that the file leaves out stay as they are. `snapshot`: the file is all that one account has, and items that it leaves out are taken down',
    schema: bulkModeSchema,
  },
  leftOut: {
    component: 'BulkSyncLeftOutWanted',
    description:
      'What becomes of fields that a line leaves out, or leaves empty, although its item has them. `empty` (default): the line replaces its item, as a PUT does. `keep`: they stay as they are, for files whose columns are not all of an item; a line that names another category is refused when that would empty attributes. Either way `leftOutFields` counts them',
    schema: leftOutSchema,
  },
  confirm: {
    component: 'BulkSyncConfirm',
    description: '`true`: a snapshot may take down more than half of the items',
    schema: Type.Boolean(),
  },
  validateOnly: {
    component: 'BulkSyncValidateOnly',
    description: '`true`: the file is read and checked, 200 says what was found, and nothing has effect',
    schema: Type.Boolean(),
  },
};

export interface BulkSyncQuery {
  readonly mode: BulkMode;
  readonly leftOut: LeftOutMode;
  readonly isConfirmed: boolean;
  readonly validateOnly: boolean;
}

const readers = {
  mode: oneOf(bulkModes),
  leftOut: oneOf(leftOutModes),
  confirm: oneOf(['true', 'false']),
  validateOnly: oneOf(['true', 'false']),
};

/** Throws Refusal BAD_REQUEST for an unknown parameter or value. */
export function readBulkSyncQuery(query: Readonly<Record<string, string>>): BulkSyncQuery {
  const { mode = 'merge', leftOut = 'empty', confirm, validateOnly } = readQuery(query, readers);
  return { mode, leftOut, isConfirmed: confirm === 'true', validateOnly: validateOnly === 'true' };
}

const count = (description: string) => Type.Integer({ minimum: 0, description });
const id = Type.String({ format: 'uuid' });
const state = Type.Enum([...bulkStates], {
  $id: 'BulkSyncState',
  description: '`cancelling` until what is being written has ended; in `cancelled` nothing more is written',
});

const stop = Type.Unsafe<SenderStop>({
  $id: 'BulkSyncStop',
  enum: [...senderStops],
  description:
    '`UNAUTHORIZED`: the key that sent it was revoked; `PARTNER_ACCOUNT_FORBIDDEN`: the member that it was sent for ended its membership',
});

const found = {
  repeated: count('Lines whose `externalId` an earlier line of the same account has: the last one counts'),
  remarks: Type.Array(
    Type.Object(
      {
        ...fieldProblemFields,
        line: Type.Integer({ minimum: 1, description: 'The first of these lines' }),
        count: Type.Integer({ minimum: 1, description: 'How many lines there are' }),
      },
      {
        $id: 'BulkSyncRemark',
        description: 'What many lines have in common, as a warning of the first of them says it',
      },
    ),
    { description: 'What is probably not as it was meant, such as `NULL` in place of a title; the lines are taken' },
  ),
  leftOutFields: Type.Array(
    Type.Object(
      {
        field: Type.String({ description: 'Dotted path, such as `domain.part.oemNumber`' }),
        lines: Type.Integer({ minimum: 1, description: 'How many lines leave it out' }),
      },
      { $id: 'BulkSyncLeftOutField', description: 'A field that lines leave out although their items have it' },
    ),
    { description: 'Fields that lines leave out although their items have them: emptied, or kept with `leftOut=keep`' },
  ),
};

/** The 202 of an upload. */
export const acceptedBulkSyncSchema = Type.Object({ id }, { $id: 'AcceptedBulkSync' });

/** Progress of a bulk sync. */
export const bulkSyncSchema = Type.Object(
  {
    id,
    state,
    stoppedBy: Type.Union([stop, Type.Null()], {
      description:
        '`UNAUTHORIZED`: the key that sent it was revoked or has expired, or its account is suspended; `PARTNER_ACCOUNT_FORBIDDEN`: the member that it was sent for ended its membership. What was left then failed with this code, nothing more is taken down, and the state becomes `cancelled`. Else null',
    }),
    mode: bulkModeSchema,
    total: count('Lines of the file that are not empty'),
    ...found,
    leftOut: leftOutSchema,
    created: count('Lines that created their item'),
    updated: count('Lines that changed their item'),
    unchanged: count('Lines whose item was like that already'),
    failed: count('Lines that were refused: the list of errors has each of them'),
    warned: count(
      'Lines among the others that have warnings, as a PUT of them would: the list of errors has each of them',
    ),
    removed: count('Items taken down because a snapshot left them out; not part of `total`'),
    createdAt: time('When it was accepted'),
    completedAt: nullableTime('When it was completed or cancelled; null until then'),
  },
  { $id: 'BulkSync', description: 'Until it has ended, `total` is more than the four counts of lines together' },
);

export const bulkSyncListSchema = Type.Object({ bulkSyncs: Type.Array(bulkSyncSchema) }, { $id: 'BulkSyncList' });

/** The 202 of a cancellation. */
export const cancelledBulkSyncSchema = Type.Object(
  { id, state },
  { $id: 'CancelledBulkSync', description: 'The state after the call; one that has ended stays as it is' },
);

/** One line of the list of errors. */
export const bulkSyncErrorSchema = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Number of the line in the file, from 1; empty lines count' }),
    externalId: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null when the line has none' }),
    account: Type.Optional(
      Type.String({
        description: 'As the line has it, one that is too long only its beginning; left out when it has none',
      }),
    ),
    severity: Type.Enum(['error', 'warning'], {
      $id: 'BulkSyncSeverity',
      description:
        '`error`: the line was refused. `warning`: it was taken, and something is perhaps not as it was meant',
    }),
    status: Type.Integer({
      minimum: 200,
      maximum: 599,
      description: 'What a call of its own would be answered with: 202 for a warning',
    }),
    error: Type.String({ description: 'Message for people' }),
    code: Type.Optional(errorCodeSchema),
    details: Type.Optional(Type.Array(fieldProblemSchema, { description: 'Every problem, or warning, of the line' })),
  },
  { $id: 'BulkSyncError', description: 'A line that was refused, or taken with a warning, which has no `code`' },
);

/** The 200 of an upload with `validateOnly=true`. */
export const bulkSyncCheckSchema = Type.Object(
  {
    total: count('Lines of the file that are not empty'),
    failed: count('Lines that would be refused, as far as their content tells'),
    warned: count('Lines among the others that have warnings, as far as their content tells'),
    ...found,
    removed: count('Items that a snapshot would take down'),
    errors: Type.Array(bulkSyncErrorSchema, {
      maxItems: 200,
      description: 'The first 100 that would be refused, then the first 100 with warnings',
    }),
  },
  { $id: 'BulkSyncCheck' },
);

/** Media type of newline-delimited JSON. */
export const ndjsonType = 'application/x-ndjson';

export const bulkSyncBodySchema = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  description:
    'One JSON object a line, in UTF-8: `externalId`, optionally `account` (the reference of a member), and the fields of an item as in its PUT',
});
