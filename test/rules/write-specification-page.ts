// `npm run specification`: writes the page of proofs again. The rule tests say when that is due.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';
import { pagePath, specificationPage } from './specification-page.ts';

await writeFile(join(repositoryRoot, pagePath), await specificationPage());
console.log(`${pagePath} written`);
