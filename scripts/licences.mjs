// npm run checks -- licences: what runs in production is under permissive licences, but for what scripts/audit-policy.json explains.
import { readFileSync } from 'node:fs';
import { judgeLicences } from './judge-audit.mjs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { licences } = JSON.parse(readFileSync('scripts/audit-policy.json', 'utf8'));
const problems = judgeLicences(packages, licences);
for (const problem of problems) console.log(problem);
console.log(
  problems.length === 0
    ? 'every licence of production is permissive or explained'
    : 'give a reason in scripts/audit-policy.json, or use another package',
);
process.exitCode = problems.length === 0 ? 0 : 1;
