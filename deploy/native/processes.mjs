// Starting and stopping the proof's processes, each by its own id.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const children = [];

/** Path of the first of these programs that is found on PATH; throws with all of their names. */
export function findProgram(names, extraFolders = []) {
  const folders = [...extraFolders, ...(process.env.PATH ?? '').split(delimiter)];
  for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next one.
    }
  }
  throw new Error(`none of ${names.join(', ')} is on PATH: docs/deployment.md says where to get it`);
}

/** PostgreSQL refuses to run as root; then its programs run as this user. */
const asOtherUser = (user) => (user === undefined ? [] : ['runuser', '-u', user, '--']);

export function run(program, args, { env = {}, user, cwd } = {}) {
  const [command, ...rest] = [...asOtherUser(user), program, ...args];
  const { status, stdout, stderr } = spawnSync(command, rest, {
    env: { ...process.env, ...env },
    cwd,
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout.trim();
}

/** Starts a process that stays, its output in a file. */
export function start(program, args, { env = {}, user, log, cwd }) {
  const [command, ...rest] = [...asOtherUser(user), program, ...args];
  const file = openSync(log, 'a');
  const child = spawn(command, rest, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', file, file] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  children.push({ child, ended, program });
  return child;
}

/** The one started last is stopped first. */
export async function stopAll() {
  for (const { child, ended } of children.splice(0).reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    const giveUp = new AbortController();
    const killed = pause(15_000, undefined, { signal: giveUp.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    );
    await ended;
    giveUp.abort();
    await killed;
  }
}

/** A port that nobody uses, below 32768: Temporal keeps its members' ports in PostgreSQL as numbers of 15 bits. */
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Repeats a step until it no longer throws; gives up at once when the process that it waits for has ended. */
export async function until(step, { what, patienceMs = 60_000, child }) {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (child !== undefined && child.exitCode !== null)
        throw new Error(`${what}: the process ended by itself`, { cause: error });
      if (Date.now() > end) throw new Error(`${what}: still failing after ${patienceMs / 1000} s`, { cause: error });
      await pause(300);
    }
  }
}
