import { Command } from 'commander';
import { addSystemOptions, findDatabase, type SystemOptions } from './running-system.ts';

/** `itembridge migrate`. Run before API and workers of a new release start; running it again changes nothing. */
export const migrateCommand = addSystemOptions(new Command('migrate'))
  .description('bring the database to the structure of this release: collections, indexes, and rows that changed')
  .action(runMigration);

async function runMigration(options: SystemOptions): Promise<void> {
  const { migrateDatabase } = await import('../compose/migrate.ts');
  const { version, compatibleFrom } = await migrateDatabase(findDatabase(options), (line) => console.log(line));
  console.log(`The database has version ${version} of its structure, for releases with ${compatibleFrom} or later.`);
}
