import Type from 'typebox';

import { Refusal } from '../../core/errors.ts';
import type { RequestWarning } from '../../core/items/item-content.ts';
import { compileSchema } from '../compile-schema.ts';
import { ignoredFields, unknownBeside, unknownFields } from '../unknown-fields.ts';

/** The states a caller may set. */
export const settableStatuses = ['not_listed', 'sold'] as const;
export type SettableStatus = (typeof settableStatuses)[number];

/** The body of `PATCH /integration/v1/items/{external_id}/status`. */
export const statusRequestSchema = Type.Object(
  { status: Type.Enum([...settableStatuses], { $id: 'SettableStatus', description: 'The state the item goes to' }) },
  {
    $id: 'StatusRequest',
    title: 'StatusRequest',
    description: 'Takes an item down, or says that it was sold elsewhere',
  },
);

export interface StatusRequest {
  readonly status: SettableStatus;
  readonly warnings: readonly RequestWarning[];
}

const compiled = compileSchema(statusRequestSchema);

/** Throws `VALIDATION_FAILED` with the invalid-status message of specification "Errors" 1. */
export function readStatusRequest(body: unknown): StatusRequest {
  const unknown = unknownBeside(statusRequestSchema, body);
  if (compiled.accepts(body)) return { status: body.status, warnings: ignoredFields(unknown) };
  const message = `Invalid status: must be one of ${settableStatuses.join(', ')}`;
  throw new Refusal('VALIDATION_FAILED', message, { details: [...compiled.problems(body), ...unknownFields(unknown)] });
}
