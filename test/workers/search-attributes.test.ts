import { readFileSync } from 'node:fs';
import test from 'ava';
import { SearchAttributeType } from '@temporalio/common';
import { externalIdLengthMax } from '../../schemas/items/external-id.ts';
import * as contract from '../../workflows/contracts/search-attributes.ts';

/**
 * Of a namespace on SQL, in the server's 1.32 sources: `defaultNumDBCustomSearchAttributes` of
 * common/searchattribute/sadefs/constants.go, and the columns `Keyword01` to `Keyword10`, each VARCHAR(255), of
 * schema/postgresql/v12/visibility/schema.sql. Those of our workflows may not be the only ones there.
 */
const sqlLimits = { keywords: 10, characters: 255 };

test('our search attributes are Keyword, fit into SQL visibility with room for four more, and so does the longest id', (t) => {
  const keys = Object.values(contract);
  t.true(keys.every(({ type }) => type === SearchAttributeType.KEYWORD));
  t.true(keys.length <= sqlLimits.keywords - 4, `${keys.length} of ${sqlLimits.keywords}`);
  t.true(externalIdLengthMax <= sqlLimits.characters);
});

test('set-up in production and the server of npm start register exactly those', (t) => {
  const names = Object.values(contract)
    .map(({ name }) => name)
    .toSorted();
  const [, ofScript = ''] =
    /^for name in (AccountId .*); do$/m.exec(readFileSync('deploy/temporal/register.sh', 'utf8')) ?? [];
  const [, ofStart = ''] = /searchAttributes = \[(.*)\]/.exec(readFileSync('embedded/temporal.ts', 'utf8')) ?? [];
  t.deepEqual(ofScript.split(' ').toSorted(), names);
  t.deepEqual(ofStart.replaceAll("'", '').split(', ').toSorted(), names);
});
