// `npm run generate -- indexes`: takes new indexes into compose/schema-indexes.txt, with the version of the database's structure.
import { readFileSync, writeFileSync } from 'node:fs';
// Define all collections.
import '../../compose/migrate.ts';
import { definedIndexes } from '../../platform/database/connection.ts';
import { indexListFile, renewed } from './index-list.ts';

writeFileSync(indexListFile, renewed(readFileSync(indexListFile, 'utf8'), definedIndexes()));
