import type { Binder } from '../bind.ts';
import { acceptBulkSync } from './accept-bulk-sync.ts';
import { cancelBulkSync } from './cancel-bulk-sync.ts';
import { checkBulkSync } from './check-bulk-sync.ts';
import { listOwnBulkSyncs, readBulkErrors, readBulkSync } from './read-bulk-sync.ts';

export const bindBulkSyncs = ({ bind, bindCreating }: Binder) => ({
  accept: bindCreating(acceptBulkSync),
  check: bind(checkBulkSync),
  cancel: bind(cancelBulkSync),
  read: bind(readBulkSync),
  list: bind(listOwnBulkSyncs),
  readErrors: bind(readBulkErrors),
});
