import { Resolver, type LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Resolves a name to all its addresses. */
export type ResolveAll = (
  hostname: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Together less than the time for a connection, so that no question outlives the attempt that asked it. */
const patience = { timeout: 2_500, tries: 2 } as const;

export interface NameOptions {
  /** Names that the machine's own table knows; in tests another one. */
  readonly hosts?: string;
  /** `address:port` of name servers; by default those of the system. */
  readonly servers?: readonly string[];
}

/**
 * Resolves names by the system's table of hosts, then by its name servers, over sockets of this process. `getaddrinfo` would hold one
 * of Node's four threads, which also hash passwords and read files, for as long as a name server does not answer.
 */
export function createNameResolver({ hosts = readHosts(), servers }: NameOptions = {}): ResolveAll {
  const resolver = new Resolver(patience);
  if (servers !== undefined) resolver.setServers(servers);
  const known = parseHosts(hosts);
  return (hostname, done) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const own = known.get(name) ?? (isLoopbackName(name) ? loopback : undefined);
    if (own === undefined) ask(resolver, name, done);
    else queueMicrotask(() => done(null, own));
  };
}

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** RFC 6761: these names never leave the machine. */
const isLoopbackName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

function ask(resolver: Resolver, name: string, done: Parameters<ResolveAll>[1]): void {
  askBoth(resolver, name).then(
    (found) => done(null, found),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
  );
}

async function askBoth(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([
    query((done) => resolver.resolve4(name, done)),
    query((done) => resolver.resolve6(name, done)),
  ]);
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length > 0) return found;
  throw noAddress(name, [v4, v6]);
}

type Done = (error: Error | null, addresses: string[]) => void;

const query = (begin: (done: Done) => void): Promise<string[]> =>
  new Promise((resolve, reject) => begin((error, addresses) => (error === null ? resolve(addresses) : reject(error))));

/** With the codes of `getaddrinfo`: there is no such name, or no name server has answered. */
function noAddress(name: string, ends: readonly PromiseSettledResult<unknown>[]): Error {
  const isAbsent = ends.every((end) => end.status === 'fulfilled' || absent.has(codeOf(end.reason)));
  const code = isAbsent ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`${code} ${name}`), { code });
}

const absent: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** Read once: a machine's own names change with its deployment. */
function readHosts(): string {
  try {
    return readFileSync(hostsFile, 'utf8');
  } catch {
    return '';
  }
}

function parseHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const known = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const lower = name.toLowerCase();
      known.set(lower, [...(known.get(lower) ?? []), { address, family }]);
    }
  }
  return known;
}
