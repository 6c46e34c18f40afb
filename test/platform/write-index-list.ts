// `npm run generate -- indexes`: takes new indexes into compose/schema-indexes.txt, with the version of the database's structure.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
// Define all collections.
import '../../compose/migrate.ts';
import { definedIndexes } from '../../platform/database/connection.ts';
import { indexListFile, renewed } from './index-list.ts';

const known = existsSync(indexListFile) ? readFileSync(indexListFile, 'utf8') : '';
writeFileSync(indexListFile, renewed(known, definedIndexes()));
