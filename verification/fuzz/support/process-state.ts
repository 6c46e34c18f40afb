import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What a process holds right now. */
export interface ProcessState {
  readonly memoryMb: number;
  /** Open files of any kind. */
  readonly files: number;
  /** Those of them that are sockets. */
  readonly sockets: number;
}

/** undefined where there is no /proc (Linux has it), and for a process that has gone. */
export function processState(pid: number | undefined): ProcessState | undefined {
  if (pid === undefined || !existsSync(`/proc/${pid}/status`)) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const names = readdirSync(`/proc/${pid}/fd`);
  const targets = names.map((name) => targetOf(`/proc/${pid}/fd/${name}`));
  return {
    memoryMb: Math.round(Number(kilobytes ?? 0) / 1_024),
    files: names.length,
    sockets: targets.filter((target) => target.startsWith('socket:')).length,
  };
}

/** '' for one that was closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** Connections that callers hold to a port of this machine, with their state; those that only linger after their end not counted. */
export function callersOf(port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].filter((path) => existsSync(path)).flatMap(rowsOf);
  return rows
    .filter(([, local = '', , state = '']) => local.endsWith(wanted) && !over.has(state))
    .map(([, , remote = '', state = '', queues = '']) => `${remote} in state ${state}, waiting bytes ${queues}`);
}

/** TIME_WAIT, CLOSE and LISTEN. */
const over: ReadonlySet<string> = new Set(['06', '07', '0A']);

const rowsOf = (path: string): string[][] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
