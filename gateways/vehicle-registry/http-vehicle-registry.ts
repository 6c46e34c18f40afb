import Type from 'typebox';
import { Agent, request, type Dispatcher } from 'undici';
import { normalisePlate, type Vehicle } from '../../core/vehicles/vehicle.ts';
import { startDeadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { text } from '../../schemas/fields.ts';
import { modelYear } from '../../schemas/item-domains/item-domain.ts';
import { RegistryUnavailable, type VehicleRegistry } from './port.ts';

export interface HttpVehicleRegistryOptions {
  /** Without a slash at the end. HTTPS, or HTTP on loopback (the simulator): the key travels in every call. */
  readonly url: string;
  readonly apiKey: string;
  /** For each whole look-up, in ms: connecting, headers and body, including one retry after a broken connection. */
  readonly timeoutMs: number;
}

const connectionsMax = 16;
const answerBytesMax = 64 * 1024;
/** A look-up has no effect, so one on a broken connection (such as an old kept-alive one) is sent once more. */
const sendsMax = 2;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: unknown;
}

/** The registry by HTTP. Follows no redirects (the key would go along) and uses no proxy. */
export function createHttpVehicleRegistry(options: HttpVehicleRegistryOptions): VehicleRegistry {
  requireSafeUrl(options.url);
  const agent = new Agent({ connections: connectionsMax, pipelining: 1, connect: { timeout: options.timeoutMs } });
  return {
    lookUp: async (plate) => {
      const deadline = startDeadline(options.timeoutMs);
      try {
        return vehicleOf(await exchange(options, plate, { agent, signal: deadline.signal }), plate);
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

type Transport = { readonly agent: Dispatcher; readonly signal: AbortSignal };

async function exchange(options: HttpVehicleRegistryOptions, plate: string, transport: Transport): Promise<Answer> {
  for (let send = 1; ; send += 1) {
    try {
      return await sendOnce(options, plate, transport);
    } catch (error) {
      const isLast = send === sendsMax || transport.signal.aborted || error instanceof RegistryUnavailable;
      if (isLast) throw error;
    }
  }
}

async function sendOnce(
  { url, apiKey }: HttpVehicleRegistryOptions,
  plate: string,
  { agent, signal }: Transport,
): Promise<Answer> {
  const answer = await request(url + vehiclePath(plate), {
    dispatcher: agent,
    signal,
    headers: { accept: 'application/json', 'user-agent': 'itembridge/1', [keyHeader]: apiKey },
  });
  const { bytes, truncated } = await readBounded(answer.body, answerBytesMax);
  if (truncated) throw new RegistryUnavailable('unusable_answer', "the vehicle registry's answer is too long");
  const retryAfter = answer.headers['retry-after'];
  return {
    status: answer.statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    body: parseJson(bytes),
  };
}

/** Returns undefined for invalid JSON; the status decides whether that matters. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function vehicleOf({ status, retryAfter, body }: Answer, plate: string): Vehicle | null {
  if (status === 200) {
    const vehicle = readVehicle(body, plate);
    if (vehicle !== undefined) return vehicle;
    throw new RegistryUnavailable('unusable_answer', "the vehicle registry's answer is not the vehicle asked for");
  }
  if (status === 404 && saysUnknownPlate(body)) return null;
  const isOverloaded = status === 408 || status === 429 || status >= 500;
  throw new RegistryUnavailable(
    isOverloaded ? 'overloaded' : 'refused',
    `the vehicle registry answered HTTP ${status}`,
    { retryAfterMs: retryAfterMs(retryAfter) },
  );
}

/** Only the form in seconds, because a date requires equal clocks. */
const retryAfterMs = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null;

/** The registry's own paths, headers and answer formats. */
const keyHeader = 'X-Api-Key';
const vehiclePath = (plate: string): string => `/v1/vehicles/${encodeURIComponent(plate)}`;

const word = (description: string) => text({ description, minLength: 1, pattern: '\\S' });

const vehicleAnswer = compileSchema(
  Type.Object({
    registrationPlate: word('Plate'),
    make: word('Brand'),
    model: word('Model name'),
    year: modelYear(),
    fuelType: word('Fuel'),
    color: text({ description: 'Body colour' }),
  }),
);

const unknownPlateAnswer = compileSchema(
  Type.Object({ error: Type.Object({ code: Type.Literal('VehicleNotFound') }) }),
);

/** The vehicle of an answer with status 200; undefined when it is no vehicle or not the one of `plate`. */
function readVehicle(body: unknown, plate: string): Vehicle | undefined {
  if (!vehicleAnswer.accepts(body) || normalisePlate(body.registrationPlate) !== plate) return undefined;
  const { make, model, year, fuelType, color } = body;
  return {
    registrationPlate: plate,
    make: make.trim(),
    model: model.trim(),
    year,
    fuelType: fuelType.trim(),
    color: color.trim(),
  };
}

/** True when a 404 is the registry's answer about the plate, not that of a server in between or of a wrong address. */
const saysUnknownPlate = (body: unknown): boolean => unknownPlateAnswer.accepts(body);

/** Used without a configured registry: plates can't be looked up, and items go on without a vehicle. */
export const absentVehicleRegistry: VehicleRegistry = {
  lookUp: async () => {
    throw new RegistryUnavailable('not_configured', 'no vehicle registry is configured');
  },
  close: async () => undefined,
};
