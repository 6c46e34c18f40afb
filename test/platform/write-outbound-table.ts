// Writes the table of docs/evidence/security-outbound.md again. A test says when that is due.
import { writeFile } from 'node:fs/promises';
import { page, pageAsItShouldBe } from './outbound-table.ts';

await writeFile(page, await pageAsItShouldBe());
console.log(`${page} written`);
