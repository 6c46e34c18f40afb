// npm run verify|evidence|generate [-- PART … --flags]: the parts that are named, or all of them, one after the other. Flags go to the last
// command of a part, so they need one part. Ends with 1 when a part failed.
import { prepare } from './prepare.mjs';
import { readNames } from './read-names.mjs';
import { runMain, SetupError } from './report-step.mjs';
import { notRunCode, runStep } from './run-step.mjs';

const { execPath: node } = process;
const tests = (...args) => [node, 'scripts/test.mjs', ...args];
const source = (file) => [node, '--import=tsx', file];

/** Commands of each part, by what they are for. */
const parts = {
  /** What is searched for with seeds. */
  verify: {
    random: [tests('--group', 'random')],
    isolation: [tests('--group', 'isolation')],
    model: [tests('--group', 'model')],
    fuzz: [tests('--group', 'fuzz'), [node, 'scripts/fuzz.mjs']],
    crash: [tests('--group', 'crash')],
    temporal: [[node, 'deploy/native/prove.mjs', '--secured']],
    chaos: [tests('--group', 'chaos'), [node, 'scripts/chaos.mjs', '--minutes', '10']],
  },
  /** What docs/evidence.md tells of, in build/evidence. */
  evidence: {
    specification: [source('test/rules/write-specification-page.ts')],
    outbound: [source('test/platform/write-outbound-table.ts')],
    isolation: [tests('verification/isolation/tenant-isolation.test.ts')],
    trouble: [tests('test/monitoring/kinds-of-trouble.slow.test.ts')],
    stories: [[node, 'scripts/run.mjs', 'bench/stories.ts']],
    screens: [[node, 'scripts/measure-dashboard.mjs']],
    pictures: [[node, 'scripts/screenshots.mjs']],
  },
  /** Files that are made of others; but for the collection of Postman they are in git. */
  generate: {
    openapi: [[...source('scripts/openapi.mjs'), 'write']],
    client: [[node, 'scripts/client.mjs']],
    python: [[node, 'scripts/python-models.mjs']],
    postman: [[node, 'scripts/postman.mjs']],
    histories: [tests('test/histories/record.ts')],
    payloads: [tests('test/schemas/record-payloads.ts')],
  },
};

await runMain(async () => {
  const [what, ...args] = process.argv.slice(2);
  const known = parts[what];
  if (known === undefined)
    throw new SetupError(`usage: node scripts/parts.mjs ${Object.keys(parts).join('|')} [PART …]`);
  const { names, flags } = readNames(args, { known: Object.keys(known) });
  await prepare();
  for (const name of names)
    for (const [index, command] of known[name].entries()) {
      const isLast = index === known[name].length - 1;
      const code = await runStep({ title: name, minutes: 120, command: isLast ? [...command, ...flags] : command });
      if (code !== 0 && code !== notRunCode) process.exitCode = 1;
    }
});
