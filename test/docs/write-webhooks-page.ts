// `npm run webhooks:page`: writes the quotations of docs/reference/webhooks.md again. webhooks-page.test.ts says when that is due.
import { readFile, writeFile } from 'node:fs/promises';
import { freshPage, pageFile } from './webhooks-page.ts';

await writeFile(pageFile, freshPage(await readFile(pageFile, 'utf8')));
console.log('docs/reference/webhooks.md written');
