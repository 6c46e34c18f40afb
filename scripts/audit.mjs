// npm run checks -- audit: known vulnerabilities in what runs in production, and signatures of everything that is installed. Asks the registry
// that npm is set to. Ends with 0, with 1 for what was found, and with 75 when it could not be asked: that is no pass.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { judgeAdvisories, judgeSignatures } from './judge-audit.mjs';
import { prepare } from './prepare.mjs';
import { runMain } from './report-step.mjs';

const notRunCode = 75;
const patienceMs = 90_000;

await runMain(async () => {
  await prepare();
  const { allowedAdvisories } = JSON.parse(readFileSync('scripts/audit-policy.json', 'utf8'));
  const today = new Date().toISOString().slice(0, 10);
  const [advisories, signatures] = await Promise.all([ask(['audit', '--omit=dev']), ask(['audit', 'signatures'])]);
  const codes = [
    tell('advisories', judgeAdvisories(advisories, allowedAdvisories, today)),
    tell('signatures', judgeSignatures(signatures)),
  ];
  process.exitCode = codes.find((code) => code === 1) ?? codes.find((code) => code !== 0) ?? 0;
});

/** What npm says, parsed; undefined when that is nothing. Never fails: npm ends with a code of its own for what it finds. */
function ask(args) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(command, [...first, ...args, '--json', '--fetch-retries=1', '--fetch-timeout=20000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patienceMs,
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.on('error', () => resolve(undefined));
    child.on('close', () => resolve(parsed(output)));
  });
}

function parsed(output) {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

function tell(what, judged) {
  if ('notRun' in judged) {
    console.log(`${what}: NOT RUN: ${judged.notRun}`);
    return notRunCode;
  }
  for (const one of judged.accepted) console.log(`${what}: accepted: ${one}`);
  for (const one of judged.problems) console.log(`${what}: ${one}`);
  console.log(`${what}: ${judged.problems.length === 0 ? 'nothing found' : `${judged.problems.length} found`}`);
  return judged.problems.length === 0 ? 0 : 1;
}
