import type { Random } from '../random.ts';
import type { LinkMode } from '../world/proxy.ts';
import type { LinkName } from '../world/world.ts';

export const processNames = [
  'api-1',
  'api-2',
  'worker-1',
  'worker-2',
  'mongo-primary',
  'mongo-secondary',
  'temporal',
  'marketplace',
] as const;
export type ProcessName = (typeof processNames)[number];

/** Body of the marketplace simulator's fault route. */
export interface MarketplaceFault {
  readonly mode: 'status' | 'delay' | 'drop-before' | 'drop-after' | 'garbage';
  readonly path: string;
  readonly times: number;
  readonly status?: number;
  readonly delayMs?: number;
}

export type Fault =
  | { readonly kind: 'kill' | 'pause'; readonly target: ProcessName }
  | {
      readonly kind: 'network';
      readonly target: LinkName | 'mongo-primary' | 'mongo-secondary';
      readonly mode: LinkMode;
    }
  | { readonly kind: 'marketplace'; readonly fault: MarketplaceFault }
  /** The primary goes on alone for the time of the fault and is then killed: what it wrote meanwhile is gone. */
  | { readonly kind: 'rollback' };

export interface PlannedFault {
  /** Since the start of the load. */
  readonly atMs: number;
  /** How long it lasts; a kill, how long the process stays away. */
  readonly forMs: number;
  readonly fault: Fault;
}

/** Nothing may be away for longer: longer outages are another test's. */
const longestMs = 8_000;
/** But a paused worker: longer than each of its leases (30 s), so that the other one takes over what it goes on with afterwards. */
const longestPauseMs = 40_000;

/**
 * What is broken when: all of it follows from the seed. Two faults may overlap unless they share {@link resourceOf}: never two
 * members of MongoDB at once, never the same process twice.
 */
export function planFaults(random: Random, durationMs: number): PlannedFault[] {
  const plan: PlannedFault[] = [];
  const busyUntil = new Map<string, number>();
  for (let atMs = 4_000; atMs < durationMs - longestMs; atMs += random.between(1_000, 6_000)) {
    const fault = chooseFault(random);
    const mayBeLong = fault.kind === 'pause' && fault.target.startsWith('worker') && atMs < durationMs - longestPauseMs;
    const forMs = random.between(500, mayBeLong && random.chance(0.5) ? longestPauseMs : longestMs);
    const resource = resourceOf(fault);
    if ((busyUntil.get(resource) ?? 0) > atMs) continue;
    // Time to come back, before the same is broken again.
    busyUntil.set(resource, atMs + forMs + 8_000);
    plan.push({ atMs, forMs, fault });
  }
  return plan;
}

/** What must not be broken twice at once. */
export function resourceOf(fault: Fault): string {
  if (fault.kind === 'rollback') return 'mongo';
  if (fault.kind === 'marketplace') return 'marketplace-answers';
  if (fault.target.startsWith('mongo')) return 'mongo';
  return fault.kind === 'network' ? `link-${fault.target}` : fault.target;
}

function chooseFault(random: Random): Fault {
  const draw = random.next();
  if (draw < 0.35) return { kind: 'kill', target: random.pick(processNames) };
  if (draw < 0.5) return { kind: 'pause', target: random.pick(processNames) };
  if (draw < 0.7) return { kind: 'marketplace', fault: marketplaceFault(random) };
  if (draw < 0.8) return { kind: 'rollback' };
  return networkFault(random);
}

const marketplacePaths = ['/commit$', '/v4/listings/items$', '/images$', 'request-results', '/items/', 'seller'];

function marketplaceFault(random: Random): MarketplaceFault {
  const mode = random.pick(['status', 'delay', 'drop-before', 'drop-after', 'drop-after', 'garbage'] as const);
  const base = { mode, path: random.pick(marketplacePaths), times: random.between(1, 6) };
  if (mode === 'status') return { ...base, status: random.pick([500, 502, 503]) };
  return mode === 'delay' ? { ...base, delayMs: random.between(500, 4_000) } : base;
}

const links = ['api-1', 'api-2', 'temporal', 'marketplace', 'receivers', 'mongo-primary', 'mongo-secondary'] as const;

function networkFault(random: Random): Fault {
  const target = random.pick([...links, 'images' as const]);
  const delay = { kind: 'delay', delayMs: random.between(50, 800) } as const;
  // An image that can't be had for 8 s is given up for good, as specified: then there would be nothing to publish.
  const mode = target === 'images' ? delay : random.pick([delay, { kind: 'blackhole' }, { kind: 'reset' }] as const);
  return { kind: 'network', target, mode };
}

export function describeFault({ fault }: Pick<PlannedFault, 'fault'>): string {
  switch (fault.kind) {
    case 'kill':
    case 'pause':
      return `${fault.kind} ${fault.target}`;
    case 'network':
      return `${fault.mode.kind} ${fault.mode.kind === 'delay' ? `${fault.mode.delayMs} ms ` : ''}${fault.target} network`;
    case 'rollback':
      return 'rollback of mongo';
    case 'marketplace':
      return `marketplace ${fault.fault.mode} ${fault.fault.path}`;
  }
}
