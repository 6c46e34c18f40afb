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
  /** Only once it is really coming: a place is not for those who wait. */
  const inPlace = async <Result>(scope: Scope, wish: BulkWish, read: () => Promise<Result>): Promise<Result> => {
    await wish.body.begin();
    return holdPlace(scope, read);
  };
  return {
    accept: (scope: Scope, wish: BulkWish) => inPlace(scope, wish, () => accept(scope, wish)),
    check: (scope: Scope, wish: BulkWish) => inPlace(scope, wish, () => check(scope, wish)),
    cancel: bind(cancelBulkSync),
    read: bind(readBulkSync),
    list: bind(listOwnBulkSyncs),
    readErrors: bind(readBulkErrors),
  };
}
