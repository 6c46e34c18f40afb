import { execFileSync } from 'node:child_process';
import test from 'ava';
import { resumeLine } from '../../cli/ops/retry.ts';
import { itemId } from '../../features/rules/ids.ts';
import { noon } from '../support/an-item.ts';

test('the line that resumes a broken-off retry narrows it just as the first one did, whatever a shell would make of the words', (t) => {
  const line = resumeLine({
    ...{ reason: 'marketplace', account: 'o’neill+x@example.com', member: "KUND 7'; rm $HOME" },
    ...{ before: noon, after: { since: noon, itemId: itemId('i1') } },
  });
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${line.replace('itembridge ops retry ', '')}`], {
    encoding: 'utf8',
  });
  const at = noon.toISOString();
  t.deepEqual(words.trimEnd().split('\n'), [
    ...['--reason=marketplace', '--account=o’neill+x@example.com', "--member=KUND 7'; rm $HOME"],
    ...[`--before=${at}`, `--after=${at}/i1`],
  ]);
});

test('what was not narrowed, and a run that broke off before its first page, adds nothing', (t) => {
  const line = resumeLine({ reason: 'operator', account: undefined, member: undefined, before: noon });
  t.is(line, `itembridge ops retry --reason=operator --before=${noon.toISOString()}`);
});
