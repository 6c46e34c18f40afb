import test from 'ava';
import type { Command } from 'commander';
import * as administration from '../../cli/administer-accounts.ts';
import { afterRestoreCommand } from '../../cli/after-restore.ts';
import { moveImagesCommand } from '../../cli/move-images.ts';
import { opsCommand } from '../../cli/ops/ops.ts';
import { reEncryptSecretsCommand } from '../../cli/re-encrypt-secrets.ts';
import { withApiWorld } from '../support/api-world.ts';
import { testMongodbUri } from '../support/open-test-store.ts';
import { runItembridge } from './support/run-itembridge.ts';

const world = withApiWorld(test);

const { withAdministration: _opens, ...grants } = administration;
const commands = [
  ...Object.values(grants),
  afterRestoreCommand,
  moveImagesCommand,
  reEncryptSecretsCommand,
  opsCommand,
];

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

test('a command that changes something, or hands data out, is given with a name; one that only reads is not', (t) => {
  const leaves = commands.flatMap(leavesOf);
  t.true(leaves.length >= 15);
  const nameless = leaves.filter(({ options }) => !options.some(({ long }) => long === '--as'));
  t.deepEqual(
    nameless.map((command) => command.name()),
    ['stuck', 'explain'],
  );
});

test('production refuses a command without a name; with one the log has it, for operators alone', async (t) => {
  const { email, id, token } = await world().account();
  const env = { MONGODB_URI: testMongodbUri(), MONGODB_DATABASE: world().store.connection.name };
  const give = (...said: string[]) =>
    runItembridge(['grant-operator', email, ...said], { env: { ...env, NODE_ENV: 'production' } });
  for (const said of [[], ['--as', ' '], ['--as', 'Kim\n{"level":"error"}']]) {
    const { code, stderr } = await give(...said);
    t.is(code, 2, stderr);
    t.regex(stderr, /--as/);
  }
  t.is((await give('--node-env', 'development')).code, 2, 'the environment says what is production');
  const { code, stderr } = await give('--as', 'Kim Ö');
  t.is(code, 0, stderr);
  const line = JSON.parse(stderr) as object;
  t.like(line, { operator: 'Kim Ö', command: 'grant-operator', msg: 'command.given' });
  t.false(stderr.includes(email));
  const rows = world().store.connection.collection('audit').find({ accountId: id, kind: 'operator_granted' });
  t.like((await rows.toArray())[0], { actor: { kind: 'operator', operator: 'Kim Ö' } });
  const { text } = await world().call('GET', '/partner/audit-log', { token });
  t.true(text.includes('operator_granted') && !text.includes('Kim'));
  // Outside production it is the user of the machine.
  const { stderr: elsewhere } = await runItembridge(['revoke-operator', email], { env });
  t.regex(elsewhere, /"operator":"[^"]+"/);
});
