import Type from 'typebox';
import { bulkModes, type BulkMode } from '../../core/bulk-syncs/bulk-sync.ts';
import { oneOf, readQuery } from '../query.ts';

export const bulkModeSchema = Type.Enum([...bulkModes], {
  $id: 'BulkSyncMode',
  description: '`merge` leaves items alone that the file leaves out; `snapshot` takes them down',
});

export const bulkSyncParameters = {
  mode: {
    component: 'BulkSyncModeWanted',
    description:
      '`merge` (default): items that the file leaves out stay as they are. `snapshot`: the file is all that one account has, and items that it leaves out are taken down',
    schema: bulkModeSchema,
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
  readonly isConfirmed: boolean;
  readonly validateOnly: boolean;
}

const readers = { mode: oneOf(bulkModes), confirm: oneOf(['true', 'false']), validateOnly: oneOf(['true', 'false']) };

/** Throws Refusal BAD_REQUEST for an unknown parameter or value. */
export function readBulkSyncQuery(query: Readonly<Record<string, string>>): BulkSyncQuery {
  const { mode = 'merge', confirm, validateOnly } = readQuery(query, readers);
  return { mode, isConfirmed: confirm === 'true', validateOnly: validateOnly === 'true' };
}
