import type { Scope } from '../../core/scope.ts';
import type { Binder } from '../bind.ts';
import { acceptBulkSync, type BulkWish } from './accept-bulk-sync.ts';
import { cancelBulkSync } from './cancel-bulk-sync.ts';
import { checkBulkSync } from './check-bulk-sync.ts';
import { listOwnBulkSyncs, readBulkErrors, readBulkSync } from './read-bulk-sync.ts';
import { createUploadPlaces } from './upload-places.ts';

export function bindBulkSyncs({ bind, bindCreating }: Binder) {
  const accept = bindCreating(acceptBulkSync);
  const check = bind(checkBulkSync);
  const holdPlace = createUploadPlaces();
  return {
    accept: (scope: Scope, wish: BulkWish) => holdPlace(scope, () => accept(scope, wish)),
    check: (scope: Scope, wish: BulkWish) => holdPlace(scope, () => check(scope, wish)),
    cancel: bind(cancelBulkSync),
    read: bind(readBulkSync),
    list: bind(listOwnBulkSyncs),
    readErrors: bind(readBulkErrors),
  };
}
