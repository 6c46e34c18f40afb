// `npm run rules:picture`: draws the graph of folders again. The rule tests say when that is due.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cruiseTree, readRules } from './cruise-tree.ts';
import { picturesAsTheyShouldBe } from './draw-picture.ts';
import { repositoryRoot } from './source-files.ts';

const result = await cruiseTree(repositoryRoot, await readRules());
for (const { path, fresh } of await picturesAsTheyShouldBe(result)) {
  await writeFile(join(repositoryRoot, path), fresh);
  console.log(`${path} written`);
}
