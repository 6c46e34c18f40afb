import type { ApiWorld, Reply } from '../../../test/support/api-world.ts';
import type { Attack, Disguise, Kind } from './attackers.ts';
import { knownTo, type Victim } from './cast.ts';
import { requestsOf, type Request } from './examples.ts';
import { isAllowed, isMembershipRow, technicalCollections } from './exceptions.ts';
import type { Operation } from './operations.ts';
import { leave, must } from './people.ts';
import { tracesIn, withoutTraces } from './traces.ts';
import type { WriteWatch } from './write-watch.ts';

/** What it takes to try all operations in all ways. */
export interface Inspection {
  readonly world: ApiWorld;
  readonly watch: WriteWatch;
  readonly victims: Readonly<Record<Attack['on'], Victim>>;
  readonly shadow: (text: string) => string;
  /** By operation: which of its requests the victim has sent, under which `Idempotency-Key`. */
  readonly keyed: ReadonlyMap<string, { readonly index: number; readonly key: string }>;
  readonly operations: readonly Operation[];
  /** By attacker: every trace that it has sent so far, and so may meet again in its own rows. */
  readonly sentBy: Map<string, Set<string>>;
}

export interface Outcome {
  readonly operation: Operation;
  readonly kind: string;
  readonly status: number;
}

export interface Findings {
  readonly outcomes: readonly Outcome[];
  /** One sentence for each leak and each effect; empty when there is none. */
  readonly problems: readonly string[];
}

interface Trial {
  readonly operation: Operation;
  readonly attack: Attack;
  readonly sent: string;
  readonly twinSent: string;
  readonly reply: Reply;
  readonly twinReply: Reply;
  readonly mark: number;
  /** What the attackers knew or have sent themselves. */
  readonly known: Set<string>;
  readonly dataProblems: readonly string[];
}

/** Tries every operation with one kind of credential. */
export async function inspectKind(inspection: Inspection, kind: Kind): Promise<Findings> {
  const trials: Trial[] = [];
  for (const attack of kind.attacks) {
    const known = await knownBy(inspection, attack);
    for (const operation of inspection.operations) {
      if (attack.isLeftOut?.(operation) === true) continue;
      trials.push(...(await tryOperation(inspection, { operation, attack, known, kind: kind.title })));
    }
  }
  await inspection.watch.catchUp();
  return {
    outcomes: trials.map(({ operation, reply }) => ({ operation, kind: kind.title, status: reply.status })),
    problems: trials.flatMap((trial) => [
      ...trial.dataProblems,
      ...differenceIn(inspection, trial, kind.title),
      ...effectsOf(inspection, trial, kind.title),
    ]),
  };
}

/** Grows with what is sent. */
async function knownBy({ world, sentBy }: Inspection, { attacker, twinAttacker }: Attack): Promise<Set<string>> {
  const name = attacker?.id ?? 'nobody';
  const known = sentBy.get(name) ?? new Set<string>();
  sentBy.set(name, known);
  for (const one of [attacker, twinAttacker])
    if (one !== undefined) for (const trace of await knownTo(world, one)) known.add(trace);
  return known;
}

type Trying = Pick<Trial, 'operation' | 'attack' | 'known'> & { readonly kind: string };

async function tryOperation(inspection: Inspection, trying: Trying): Promise<Trial[]> {
  const { operation, attack, known, kind } = trying;
  const { belongings } = inspection.victims[attack.on];
  const all = requestsOf(operation, belongings);
  const wanted = attack.isThorough(operation) ? all : all.slice(0, 1);
  const trials: Trial[] = [];
  for (const [index, request] of wanted.entries()) {
    const keyed = inspection.keyed.get(operation.id);
    const key = keyed?.index === index && attack.on === 'victim' ? keyed.key : undefined;
    const sent = disguised(inspection, { request, key, disguise: attack.as });
    const twinRequest = shadowed(request, inspection.shadow);
    const twinKey = key === undefined ? undefined : inspection.shadow(key);
    const twin = disguised(inspection, { request: twinRequest, key: twinKey, disguise: attack.twin });
    const mark = await inspection.watch.mark();
    const [reply, twinReply] = await Promise.all([sent.call(), twin.call()]);
    for (const trace of tracesIn(sent.text)) known.add(trace);
    const tried = { operation, attack, known, reply, twinReply, mark, sent: sent.text, twinSent: twin.text };
    trials.push({ ...tried, dataProblems: dataIn(inspection, tried, kind) });
    if (operation.id === 'joinReseller' && reply.status < 300) await undoJoining(inspection, attack);
    if (operation.id === 'removeMember' && reply.status < 300) await undoRemoval(inspection, attack);
  }
  return trials;
}

/** Whoever has joined is no stranger any more. */
async function undoJoining({ world, watch }: Inspection, { attacker }: Attack): Promise<void> {
  await watch.mark();
  if (attacker !== undefined) await leave(world, attacker);
}

/** The member of before is the reseller's member again, under its reference. */
async function undoRemoval({ world, watch, victims }: Inspection, { attacker, on }: Attack): Promise<void> {
  await watch.mark();
  const { account, references } = victims[on].belongings;
  if (attacker === undefined) return;
  const { token } = attacker;
  const { slug } = (await must(world, 'GET /business/my-profile', { token })).body;
  await must(world, `POST /p/${slug}/connect`, { token: account.token });
  const body = { externalId: references[0] };
  await must(world, `PUT /business/my-profile/connections/${account.id}`, { token, body });
}

interface Sending {
  readonly request: Request;
  readonly key: string | undefined;
  readonly disguise: Disguise;
}

function disguised({ world }: Inspection, { request, key, disguise }: Sending) {
  const { method, body } = request;
  const { options, query = {} } = disguise;
  const more = new URLSearchParams(query).toString();
  const path = more === '' ? request.path : `${request.path}${request.path.includes('?') ? '&' : '?'}${more}`;
  const headers = { ...request.headers, ...options.headers, ...(key !== undefined && { 'idempotency-key': key }) };
  const call = { ...options, headers, ...(body !== undefined && { body }) };
  return {
    text: JSON.stringify([method, decodeURIComponent(path), call]),
    call: () => world.call(method, path, call),
  };
}

const shadowed = (request: Request, shadow: (text: string) => string): Request => ({
  ...request,
  // Identifiers are made of characters that need no encoding.
  path: shadow(request.path),
  ...(request.body !== undefined && { body: JSON.parse(shadow(JSON.stringify(request.body))) as unknown }),
});

type Tried = Omit<Trial, 'dataProblems'>;

function dataIn({ victims }: Inspection, trial: Tried, kind: string): string[] {
  if (isAllowed(trial.operation.id, kind, 'data')) return [];
  const { secrets } = victims[trial.attack.on];
  const headers = JSON.stringify([...trial.reply.headers]);
  const told = [...tracesIn(`${trial.reply.text} ${headers}`)];
  const leaked = told.filter((trace) => secrets.has(trace) && !trial.known.has(trace));
  return leaked.length === 0 ? [] : [`${nameOf(trial, kind)} tells ${leaked.join(', ')}: ${trial.reply.text}`];
}

/** Told apart, what exists and what does not would be found out by trying. */
function differenceIn({ shadow }: Inspection, trial: Trial, kind: string): string[] {
  if (isAllowed(trial.operation.id, kind, 'difference')) return [];
  const [answer, twinAnswer] = [described(trial.reply, shadow), described(trial.twinReply, (text) => text)];
  if (answer.text === twinAnswer.text && answer.headers === twinAnswer.headers) return [];
  const [one, other] = [answer, twinAnswer].map(({ text, headers }) =>
    answer.headers === twinAnswer.headers ? text : `${text} ${headers}`,
  );
  return [`${nameOf(trial, kind)} tells what exists from what does not:\n  ${one}\n  ${other}`];
}

/** Headers that differ from call to call anyway. */
const passing = new Set(['date', 'x-request-id', 'content-length', 'age', 'etag', 'keep-alive', 'retry-after']);

function described({ status, headers, text }: Reply, shadow: (text: string) => string) {
  const shown = [...headers].filter(([name]) => !passing.has(name) && !name.includes('ratelimit'));
  const plain = (words: string): string => withoutTraces(shadow(words)).replaceAll(/"lastUsedAt":[^,]*/g, '');
  return { text: plain(`${String(status)} ${text}`), headers: plain(JSON.stringify(shown)) };
}

function effectsOf({ watch, victims }: Inspection, trial: Trial, kind: string): string[] {
  const { secrets, belongings } = victims[trial.attack.on];
  const isExcepted = isAllowed(trial.operation.id, kind, 'effect');
  return watch.writesAfter(trial.mark).flatMap((write) => {
    if (isExcepted && isMembershipRow(write)) return [];
    if (Object.hasOwn(technicalCollections, write.collection)) return [];
    const { collection, before, after } = write;
    const name = `${nameOf(trial, kind)} writes in ${collection}`;
    if (before?.includes(belongings.account.id) === true || after?.includes(belongings.account.id) === true)
      return [`${name} a row of the account:\n  ${before ?? 'none'}\n  ${after ?? 'none'}`];
    const taken = [...tracesIn(after ?? '')].filter((trace) => secrets.has(trace) && !trial.known.has(trace));
    return taken.length === 0 ? [] : [`${name} what is the account's: ${taken.join(', ')}: ${after ?? ''}`];
  });
}

const nameOf = ({ operation, sent, reply }: Tried, kind: string): string =>
  `${operation.id} (${kind}) answered ${String(reply.status)} to ${withoutJwt(sent)} and`;

const withoutJwt = (text: string): string => text.replaceAll(/eyJ[\w.-]+/g, 'JWT');
