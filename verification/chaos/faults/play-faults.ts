import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ManagedProcess } from '../../../embedded/managed-process.ts';
import { callAdmin } from '../../../test/support/world.ts';
import type { Link } from '../world/proxy.ts';
import { holdReplication } from '../world/replica-set.ts';
import { startPatiently } from '../world/start-patiently.ts';
import type { World } from '../world/world.ts';
import { describeFault, resourceOf, type Fault, type PlannedFault, type ProcessName } from './plan-faults.ts';

/** A fault that happened. */
export interface PlayedFault {
  readonly what: string;
  /** ms since 1970 */
  readonly beganAt: number;
  /** When the fault was taken back: a process that was killed is ready again. */
  readonly endedAt: number;
}

export interface FaultOptions {
  readonly world: World;
  readonly plan: readonly PlannedFault[];
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Plays the plan to its end, and takes everything back. A fault that can not be played (no primary just then, or its process is still
 * coming back from the fault before) is left out, and the log says so.
 */
export async function playFaults({ world, plan, log, signal }: FaultOptions): Promise<PlayedFault[]> {
  const startedAt = Date.now();
  // Every fault of the plan waits with it.
  setMaxListeners(0, signal);
  const played: PlayedFault[] = [];
  const broken = new Set<string>();
  const play = async (planned: PlannedFault): Promise<void> => {
    await pause(Math.max(0, startedAt + planned.atMs - Date.now()), undefined, { signal });
    const what = describeFault(planned);
    const resource = resourceOf(planned.fault);
    if (broken.has(resource)) {
      log(`${what}: left out (it is not back from the fault before)`);
      return;
    }
    broken.add(resource);
    await playOne(planned, what);
    broken.delete(resource);
  };
  const playOne = async ({ fault, forMs }: PlannedFault, what: string): Promise<void> => {
    const beganAt = Date.now();
    const undo = await begin(world, fault).catch((error: unknown) => {
      log(`${what}: left out (${error instanceof Error ? error.message : String(error)})`);
    });
    if (undo === undefined) return;
    log(`${what} for ${(forMs / 1_000).toFixed(1)} s`);
    await pause(forMs, undefined, { signal }).catch(() => undefined);
    await undo();
    played.push({ what, beganAt, endedAt: Date.now() });
    log(`${what} is over`);
  };
  const ends = await Promise.allSettled(plan.map(play));
  const failed = ends.find((end) => end.status === 'rejected' && !signal.aborted);
  if (failed?.status === 'rejected') throw failed.reason;
  return played.toSorted((one, two) => one.beganAt - two.beganAt);
}

type Undo = () => Promise<void>;

async function begin(world: World, fault: Fault): Promise<Undo> {
  switch (fault.kind) {
    case 'kill': {
      const target = await processOf(world, fault.target);
      await target.kill9();
      return () => startPatiently(target);
    }
    case 'pause': {
      const target = await processOf(world, fault.target);
      const { pid } = target;
      if (pid === undefined) throw new Error('it does not run');
      process.kill(pid, 'SIGSTOP');
      // One that ended in its pause (its own deadline, or MongoDB's set put it out) comes back as a supervisor would bring it.
      return async () => {
        if (target.pid === pid) process.kill(pid, 'SIGCONT');
        else await startPatiently(target);
      };
    }
    case 'network': {
      const link = await linkOf(world, fault.target);
      link.set(fault.mode);
      return async () => {
        link.set({ kind: 'pass' });
        return Promise.resolve();
      };
    }
    case 'rollback':
      return holdReplication(world.mongo);
    case 'marketplace': {
      const url = `${world.marketplaceAdminUrl}/faults`;
      const { id } = await callAdmin<{ id: string }>(url, 'POST', fault.fault);
      // Used up, or forgotten with the process that knew it.
      return () => callAdmin(`${url}/${id}`, 'DELETE').then(nothing, nothing);
    }
  }
}

const nothing = (): void => undefined;
async function processOf(world: World, name: ProcessName): Promise<ManagedProcess> {
  switch (name) {
    case 'api-1':
      return world.apis[0];
    case 'api-2':
      return world.apis[1];
    case 'worker-1':
      return world.workers[0];
    case 'worker-2':
      return world.workers[1];
    case 'temporal':
      return world.temporal;
    case 'marketplace':
      return world.marketplace;
    case 'mongo-primary':
    case 'mongo-secondary':
      return (await memberOf(world, name)).process;
  }
}

async function linkOf(world: World, name: Extract<Fault, { kind: 'network' }>['target']): Promise<Link> {
  return name === 'mongo-primary' || name === 'mongo-secondary'
    ? (await memberOf(world, name)).link
    : world.links[name];
}

async function memberOf({ mongo }: World, name: 'mongo-primary' | 'mongo-secondary') {
  const primary = await mongo.primary();
  if (primary === undefined) throw new Error('there is no primary');
  const member = name === 'mongo-primary' ? primary : mongo.members.find((one) => one !== primary);
  if (member === undefined) throw new Error('there is no such member');
  return member;
}
