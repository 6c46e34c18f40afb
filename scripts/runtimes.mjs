// npm run checks -- runtimes: fails when the support of a Node, or of a runtime in a deployment's images, has ended; says so 90 days before. Asks no
// server: the dates stand in scripts/versions.json.
import { readFileSync } from 'node:fs';
import { imagesOf, judgeRuntimes } from './judge-runtimes.mjs';
import { triedNodes, versions } from './prepare.mjs';

const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const images = imagesOf({ compose: read('docker-compose.yml'), dockerfile: read('Dockerfile'), nodes: triedNodes });
const today = new Date().toISOString().slice(0, 10);
const { problems, warnings } = judgeRuntimes(images, versions.runtimes, today);
for (const warning of warnings) console.log(`soon: ${warning}`);
for (const problem of problems) console.log(`problem: ${problem}`);
console.log(`${images.length} images and Nodes looked at`);
process.exitCode = problems.length === 0 ? 0 : 1;
