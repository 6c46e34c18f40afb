import test from 'ava';

import { cruiseTree, readRules } from './cruise-tree.ts';
import { repositoryRoot, sourceFiles } from './source-files.ts';

const rules = await readRules();
const repository = await cruiseTree(repositoryRoot, rules);

test('the repository breaks no dependency rule, and every source file of it was looked at', async (t) => {
  const files = await sourceFiles();

  const violations = repository.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  t.deepEqual(violations, [], 'the comment of each rule in .dependency-cruiser.mjs says what to do instead');

  // A tool that reads nothing finds nothing wrong: this is what makes the line above mean something.
  const seen = new Set(repository.modules.map((module) => module.source));
  t.deepEqual(
    files.filter((file) => !seen.has(file)),
    [],
  );
  t.true(files.length > 40, `only ${String(files.length)} source files were found`);
  const localImports = repository.modules
    .flatMap((module) => module.dependencies)
    .filter((to) => files.includes(to.resolved));
  t.true(
    localImports.length > files.length / 2,
    `only ${String(localImports.length)} imports between them were resolved`,
  );
});
