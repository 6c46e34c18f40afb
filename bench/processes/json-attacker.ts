// Strangers who send JSON that costs much to read, at a steady pace to each route that needs no credential.
import { gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { atPace } from '../support/pace.ts';
import { serveParent, setting } from './serve-parent.ts';

/** How a phase is attacked. */
export interface JsonAttack {
  readonly seconds: number;
  readonly perSecondEach: number;
  /** `packed`: a kilobyte that unpacks to a megabyte. `bare`: as large as the route takes it, so that it is read whole. `small`: harmless. */
  readonly form: 'packed' | 'bare' | 'small';
  readonly addresses: 'one' | 'many';
}

const origin = setting('BENCH_API_URL');
const nested = (levels: number): string => `{"email":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const packed = gzipSync(nested(520_000), { level: 9 });
const small = nested(1);
const routes = [
  { path: '/auth/login', bodies: { packed, small, bare: nested(2_000) } },
  { path: '/stripe/webhook', bodies: { packed, small, bare: nested(131_000) } },
];
const dispatcher = new Agent({ connections: 200 });
let lastAddress = 0;

/** Of many so many that none comes near its limit. */
function addressFor(addresses: JsonAttack['addresses']): string {
  if (addresses === 'one') return '198.51.100.1';
  lastAddress = (lastAddress + 1) % 200;
  return `198.18.0.${lastAddress}`;
}

async function send(route: (typeof routes)[number], { form, addresses }: JsonAttack): Promise<string> {
  const answer = await request(origin + route.path, {
    method: 'POST',
    dispatcher,
    body: route.bodies[form],
    headers: {
      'content-type': 'application/json',
      ...(form === 'packed' && { 'content-encoding': 'gzip' }),
      'stripe-signature': `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`,
      'x-forwarded-for': addressFor(addresses),
    },
  });
  await answer.body.dump();
  return `${route.path} ${answer.statusCode}`;
}

/** How often each was answered which status. */
async function attack(wish: JsonAttack): Promise<Record<string, number>> {
  const tally: Record<string, number> = {};
  const note = (answer: string): void => void (tally[answer] = (tally[answer] ?? 0) + 1);
  await atPace(
    wish.perSecondEach,
    (turn) => turn >= wish.perSecondEach * wish.seconds,
    async () => {
      await Promise.all(routes.map((route) => send(route, wish).then(note, () => note(`${route.path} broken off`))));
    },
  );
  return tally;
}

serveParent({}, { attack: (wish) => attack(wish as JsonAttack) });
