// npm run checks -- clients, or node scripts/clients-check.mjs [--quick] [NAME …]: every generator of clients takes the interface document as it is served, and what it
// makes compiles and runs a story at a real system. What this machine has no language for is named with the reason.
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { generators } from './client-generators.mjs';
import { storiesFolder, tools } from './client-tools.mjs';
import { lastLines, prepare, projectRoot, runQuietly } from './prepare.mjs';
import { runMain, SetupError } from './report-step.mjs';
import { notRunCode } from './run-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';
import { withSystem } from './with-system.mjs';

const workFolder = join(projectRoot, 'build', 'clients');

await runMain(async () => {
  const { values, positionals: names } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true });
  const rows = generators.filter((row) =>
    names.length === 0 ? !values.quick || row.isQuick : names.includes(row.name),
  );
  const unknown = names.filter((name) => !generators.some((row) => row.name === name));
  if (unknown.length > 0) throw new SetupError(`no such generator: ${unknown.join(', ')}`);
  await prepare();
  Object.assign(process.env, binaryVariables(await resolveBinaries(['temporal', 'mongod'])));
  process.exitCode = await withSystem((system) => checkAll(rows, system.world));
  process.exit();
});

async function checkAll(rows, world) {
  const documents = await readDocuments(world.url);
  const results = [];
  for (const row of rows) {
    const result = await checkRow(row, { world, document: documents[row.document] });
    const { passed, notRun, failure, seconds } = result;
    const end = failure ?? (notRun === undefined ? '' : `NOT RUN: ${notRun}`);
    console.log(`${failure ? '✗' : '·'} ${row.name}: ${[...passed, end].filter(Boolean).join(', ')} (${seconds} s)`);
    results.push({ ...result, name: row.name, document: row.document });
  }
  printMatrix(results);
  if (results.some(({ failure }) => failure !== undefined)) return 1;
  return results.every(({ notRun }) => notRun !== undefined) ? notRunCode : 0;
}

/** As they are served: what is checked is what a caller gets. */
async function readDocuments(url) {
  rmSync(workFolder, { recursive: true, force: true });
  mkdirSync(workFolder, { recursive: true });
  const read = async (name) => {
    const file = join(workFolder, name);
    const response = await fetch(`${url}/${name}`);
    if (!response.ok) throw new Error(`GET /${name} was answered with ${response.status}`);
    writeFileSync(file, await response.text());
    return file;
  };
  return { whole: await read('openapi.json'), 'without webhooks': await read('openapi-without-webhooks.json') };
}

async function checkRow(row, { world, document }) {
  const beganAt = Date.now();
  const result = { passed: [], notRun: undefined, failure: undefined };
  const found = { document, folder: copyStory(row.name) };
  for (const need of row.needs) {
    found[need] = await tools[need]();
    if (found[need].missing !== undefined) return { ...result, notRun: found[need].missing, seconds: 0 };
  }
  if (found.npm !== undefined) symlinkSync(found.npm.modules, join(found.folder, 'node_modules'));
  const { apiKey } = await world.account();
  const steps = row.steps(found);
  for (const name of Object.keys(steps)) {
    const { missing } = steps[name].needs === undefined ? {} : await tools[steps[name].needs]();
    if (missing !== undefined) result.notRun = `${name}: ${missing}`;
    else if (name === 'story')
      result.failure = await runStory(row, { step: steps[name], folder: found.folder, world, apiKey });
    else result.failure = (await runCommand(steps[name], found.folder)).problem;
    if (result.failure !== undefined) result.failure = `${name} FAILED\n${result.failure}`;
    if (missing !== undefined || result.failure !== undefined) break;
    result.passed.push(name);
  }
  return { ...result, seconds: ((Date.now() - beganAt) / 1000).toFixed(1) };
}

function copyStory(name) {
  const folder = join(workFolder, name);
  mkdirSync(folder);
  cpSync(join(storiesFolder, name), folder, { recursive: true });
  return folder;
}

async function runCommand({ command: [command, ...args], env }, cwd) {
  const { code, output } = await runQuietly(command, args, { cwd, env: { ...process.env, ...env } });
  return { output, problem: code === 0 ? undefined : `${command} ended with ${code}:\n${lastLines(output, 15)}` };
}

/** What the client says it saw is compared, and then the price that the service has, without the client. */
async function runStory({ story }, { step, folder, world, apiKey }) {
  const env = { ...step.env, ITEMBRIDGE_URL: world.url, ITEMBRIDGE_API_KEY: apiKey };
  const { output, problem } = await runCommand({ ...step, env }, folder);
  if (problem !== undefined) return problem;
  const told = parsed(lastLines(output, 1));
  if (!isDeepStrictEqual(told, story)) return `told ${JSON.stringify(told)}\ninstead of ${JSON.stringify(story)}`;
  if (story.price === undefined) return undefined;
  const response = await fetch(`${world.url}/integration/v1/items/CHECK-1`, { headers: { 'x-api-key': apiKey } });
  const text = await response.text();
  return text.includes(`"price":${story.price},`) || text.includes(`"price":${story.price}}`)
    ? undefined
    : `stored: ${text}`;
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function printMatrix(results) {
  console.log('\n| generator | document | result |\n|---|---|---|');
  for (const { name, document, passed, notRun, failure } of results) {
    const end = failure === undefined ? notRun && `not run: ${notRun}` : failure.split('\n')[0];
    console.log(`| ${name} | ${document} | ${[...passed, end].filter(Boolean).join(', ')} |`);
  }
}
