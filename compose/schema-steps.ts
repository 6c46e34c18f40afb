import type { Step } from '../platform/database/migrate.ts';

/**
 * What changes a database that an earlier release has filled (docs/upgrading.md "A step of your own"). A released step is never
 * changed. The release before must still run on what a step leaves, so what it reads is taken away one release later.
 */
export const schemaSteps: readonly Step[] = [{ number: 1, does: 'the collections and indexes of 1.0' }];

/** The version of the database's structure that API and worker of this release need. */
export const schemaVersion = schemaSteps.at(-1)?.number ?? 0;
