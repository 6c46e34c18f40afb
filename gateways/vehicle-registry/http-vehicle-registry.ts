import { Agent, request, type Dispatcher } from 'undici';
import type { Vehicle } from '../../features/vehicles/rules/vehicle.ts';
import { startDeadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import { RegistryUnavailable, type VehicleRegistry } from './port.ts';
import { readVehicle } from './read-answer.ts';
import { registryForms, type LookupKind, type RegistryForm, type RegistryKind } from './registry-forms.ts';

export interface VehicleRegistrySettings {
  readonly kind: RegistryKind;
  readonly lookup: LookupKind;
  /** '' for the registry's own address. HTTPS, or HTTP on loopback (the simulator): the key travels in every call. */
  readonly url: string;
  readonly apiKey: string;
  /** For each whole look-up, in ms: connecting, headers and body, including one retry after a broken connection. */
  readonly timeoutMs: number;
}

const connectionsMax = 16;
/** A whole vehicle comes with its owners, present and past. */
const answerBytesMax = 1024 * 1024;
/** A look-up has no effect, so one on a broken connection (such as an old kept-alive one) is sent once more. */
const sendsMax = 2;

/** What a registry answered, before it is read. The body may hold personal data: it is neither stored nor logged. */
export interface RegistryAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** undefined when it is no JSON. */
  readonly body: unknown;
  readonly isEmpty: boolean;
}

export function createVehicleRegistry(settings: VehicleRegistrySettings): VehicleRegistry {
  const client = openRegistryClient(settings);
  return {
    lookUp: async (plate) => vehicleOf(client.form, await client.ask(plate), plate),
    close: () => client.close(),
  };
}

export interface RegistryClient {
  readonly form: RegistryForm;
  /** Throws {@link RegistryUnavailable} when there is no answer of HTTP. */
  ask(plate: string): Promise<RegistryAnswer>;
  close(): Promise<void>;
}

/** Follows no redirects (the key would go along) and uses no proxy. */
export function openRegistryClient(settings: VehicleRegistrySettings): RegistryClient {
  const form: RegistryForm = registryForms[settings.kind];
  const base = settings.url === '' ? form.url : settings.url;
  requireSafeUrl(base);
  const agent = new Agent({ connections: connectionsMax, pipelining: 1, connect: { timeout: settings.timeoutMs } });
  const headers = { accept: 'application/json', 'user-agent': 'itembridge/1', ...form.keyHeaders(settings.apiKey) };
  return {
    form,
    ask: async (plate) => {
      const deadline = startDeadline(settings.timeoutMs);
      try {
        const url = base + form.path(plate, settings.lookup);
        return await exchange({ url, headers, agent, signal: deadline.signal });
      } catch (error) {
        if (error instanceof RegistryUnavailable) throw error;
        throw deadline.hasExpired()
          ? new RegistryUnavailable('timeout', 'the vehicle registry did not answer in time')
          : new RegistryUnavailable('unreachable', reasonOf(error));
      } finally {
        deadline.stop();
      }
    },
    close: () => agent.close(),
  };
}

const reasonOf = (error: unknown): string =>
  `the vehicle registry is out of reach: ${describeNetworkProblem(error).message}`;

function requireSafeUrl(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isOnLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isOnLoopback)) return;
  throw new Error('the vehicle registry must be called over HTTPS (HTTP only on loopback)');
}

interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Dispatcher;
  readonly signal: AbortSignal;
}

async function exchange(call: Call): Promise<RegistryAnswer> {
  for (let send = 1; ; send += 1) {
    try {
      return await sendOnce(call);
    } catch (error) {
      const isLast = send === sendsMax || call.signal.aborted || error instanceof RegistryUnavailable;
      if (isLast) throw error;
    }
  }
}

async function sendOnce({ url, headers, agent, signal }: Call): Promise<RegistryAnswer> {
  const answer = await request(url, { dispatcher: agent, signal, headers });
  const { bytes, truncated } = await readBounded(answer.body, answerBytesMax);
  if (truncated) throw new RegistryUnavailable('unusable_answer', "the vehicle registry's answer is too long");
  const { statusCode: status } = answer;
  return { url, status, headers: answer.headers, body: parseJson(bytes), isEmpty: bytes.length === 0 };
}

/** Returns undefined for invalid JSON; the status decides whether that matters. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The vehicle, or null for an unknown plate. Throws {@link RegistryUnavailable}. */
export function vehicleOf(form: RegistryForm, answer: RegistryAnswer, plate: string): Vehicle | null {
  const { status, body } = answer;
  if (status === 200) {
    const vehicle = readVehicle(form, body, plate);
    if (vehicle !== undefined) return vehicle;
    throw new RegistryUnavailable('unusable_answer', "the vehicle registry's answer is not the vehicle asked for");
  }
  if (status === 404 && saysUnknownPlate(answer)) return null;
  throw new RegistryUnavailable(problemOf(status), sentenceOf(status), { retryAfterMs: waitOf(answer.headers) });
}

/**
 * No document names the body of a registry's 404. A registry that speaks JSON answers with JSON or without a body; a page or a text
 * comes from a server in between, or from a wrong address.
 */
const saysUnknownPlate = ({ body, isEmpty }: RegistryAnswer): boolean =>
  isEmpty || (typeof body === 'object' && body !== null);

function problemOf(status: number): 'limit_reached' | 'overloaded' | 'refused' {
  if (status === 429) return 'limit_reached';
  return status === 408 || status >= 500 ? 'overloaded' : 'refused';
}

const sentenceOf = (status: number): string =>
  `the vehicle registry answered HTTP ${status}${status === 401 || status === 403 ? ': VEHICLE_REGISTRY_API_KEY is wrong, or its plan has no such look-up' : ''}`;

/** A reset further away is taken for a mistake: plans are counted by the month at most. */
const waitMaxMs = 32 * 24 * 3_600_000;

/**
 * The wait that an answer names: `Retry-After` in seconds, else `X-RateLimit-Reset` in seconds since 1970. The latter is compared
 * with the registry's own clock (`Date`), because ours may differ. null without either.
 */
export function waitOf(headers: RegistryAnswer['headers']): number | null {
  const seconds = wholeNumber(headers['retry-after']);
  if (seconds !== null) return seconds * 1_000;
  const reset = wholeNumber(headers['x-ratelimit-reset']);
  const date = headers['date'];
  const at = Date.parse(typeof date === 'string' ? date : '');
  if (reset === null || Number.isNaN(at)) return null;
  const waitMs = reset * 1_000 - at;
  return waitMs > 0 && waitMs <= waitMaxMs ? waitMs : null;
}

const wholeNumber = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,10}$/.test(header) ? Number(header) : null;
