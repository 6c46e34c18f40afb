import type { Migration } from './migrate.ts';

/**
 * What has changed in the structure of the database since the first release, oldest first. Each needs a row here that: changes the
 * definition of an index, drops one, or changes documents for good. docs/deployment.md tells how they are carried out.
 */
export const migrations: readonly Migration[] = [];
