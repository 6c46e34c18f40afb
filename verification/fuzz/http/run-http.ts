import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { anItemBody } from '../../../test/support/audit-steps.ts';
import { callApi } from '../../../test/support/api-world.ts';
import type { FuzzSystem } from '../support/fuzz-system.ts';
import { judge } from '../support/judge.ts';
import { rawCall, type RawAnswer } from '../support/raw-call.ts';
import { Seeded } from '../support/seeded.ts';
import type { Outcome, Tally } from '../support/tally.ts';
import { bodyOperations } from './body-operations.ts';
import { batchPlans, bulkPlans, packedBulkPlans } from './bulk-plans.ts';
import { dearPackedPlans, encodingPlans } from './encoding-plans.ts';
import { externalIdPlans } from './external-id-plans.ts';
import { foreignFormPlans, formPlans } from './form-plans.ts';
import { framingPlans, smugglingPlans } from './framing-plans.ts';
import { forwardedPlans, headerPlans, idempotencyPlans } from './header-plans.ts';
import type { Plan } from './input.ts';
import { jsonPlans, refusedTextPlans } from './json-plans.ts';
import { Ledger } from './ledger.ts';
import { pathPlans, servedFilePlans } from './path-plans.ts';
import { slowPlans, slowUploadPlans } from './slow-plans.ts';

export interface HttpRun {
  readonly seed: number;
  /** Mutated bodies of each operation. */
  readonly mutationsEach: number;
  /** Only the input with this number, as a finding names it. */
  readonly only?: number | undefined;
  /** Only inputs of these kinds. */
  readonly kinds?: readonly string[] | undefined;
  readonly tally: Tally;
}

const atOnce = 6;
const kindOf = 'after all inputs';

/** Throws raw HTTP at the API. What it accepted and what is in the database must agree in the end. */
export async function runHttp(system: FuzzSystem, run: HttpRun): Promise<void> {
  const { world, account, product } = system;
  const operations = await bodyOperations(system);
  const bulkAccount = await world.account();
  const batchAccount = await world.account();
  const otherAccount = await world.account();
  const attackers = await Promise.all(Array.from({ length: 8 }, () => world.account()));
  const plans = [
    ...headerPlans(account),
    ...pathPlans(account),
    ...externalIdPlans(product.apiUrl, account),
    ...batchPlans(batchAccount),
    ...bulkPlans(bulkAccount, Math.ceil(run.mutationsEach / 2)),
    ...framingPlans(operations),
    ...encodingPlans(operations),
    ...jsonPlans(operations, run.mutationsEach),
    ...smugglingPlans(),
    ...slowPlans(await world.account()),
    // Last, so that the numbers of the others stay what they were.
    ...formPlans(product.apiUrl),
    ...foreignFormPlans(product.apiUrl),
    ...forwardedPlans(account),
    ...idempotencyPlans(batchAccount),
    ...servedFilePlans(),
    ...refusedTextPlans(operations),
    ...dearPackedPlans(operations),
    ...packedBulkPlans(bulkAccount),
    ...slowUploadPlans(attackers, otherAccount),
  ];
  const numbered = plans.map((plan, number) => ({ ...plan, number }));
  const chosen = numbered.filter(
    ({ number, kind }) => (run.only ?? number) === number && run.kinds?.includes(kind) !== false,
  );
  // Some of a run's bulk syncs are of the account of the examples.
  const bulkSenders = [bulkAccount, otherAccount, account, system.keyed];
  const ledger = await Ledger.open(world.store);
  const work = { system, run, ledger, bulkApiKeys: bulkSenders.map(({ apiKey }) => apiKey), ended: new Set<string>() };
  // They only wait, so all the others go on beside them.
  const slow = Promise.all(chosen.filter(isSlow).map((plan) => throwOne(plan, work)));
  await throwKinds(
    chosen.filter((plan) => !isSlow(plan)),
    work,
  );
  await slow;
  await compareRows(work);
}

/** Who is to be waited for may wait for a minute. */
const isSlow = ({ kind }: Plan): boolean => kind === 'slow callers' || kind === 'ambiguous requests';

interface Work {
  readonly system: FuzzSystem;
  readonly run: HttpRun;
  readonly ledger: Ledger;
  readonly bulkApiKeys: readonly string[];
  /** Bulk syncs that need not be looked at again. */
  readonly ended: Set<string>;
}

type NumberedPlan = Plan & { readonly number: number };

/** Kind after kind; after each a right request has to work as ever. */
async function throwKinds(plans: readonly NumberedPlan[], work: Work): Promise<void> {
  for (const kind of new Set(plans.map((plan) => plan.kind))) {
    const startedAt = Date.now();
    const own = plans.filter((plan) => plan.kind === kind);
    const limit = pLimit(atOnce);
    await Promise.all(own.filter(({ isAlone }) => isAlone !== true).map((plan) => limit(throwOne, plan, work)));
    for (const plan of own.filter(({ isAlone }) => isAlone === true)) {
      await throwOne(plan, work);
      if (kind === 'bulk lines') await untilBulkSyncsEnd(work);
    }
    await callRightly(kind, work);
    console.error(`  ${kind}: ${own.length} inputs in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  }
}

async function throwOne(plan: NumberedPlan, { system, run, ledger }: Work): Promise<void> {
  const { kind, name, number } = plan;
  const random = new Seeded(run.seed, number);
  const input = await plan.make(random);
  const answer = await rawCall(system.product.apiUrl, input.wire, input.options);
  ledger.note(input.expected, answer);
  run.tally.count(kind, outcomeOf(answer));
  const problems = [...judge(answer, input.expected, system.secrets), ...((await input.after?.(answer)) ?? [])];
  const repeat = `npm run fuzz -- --only http --seed ${run.seed} --mutations ${run.mutationsEach} --input ${number}`;
  for (const problem of problems) run.tally.find({ kind, what: `${name}: ${problem}`, repeat });
}

function outcomeOf({ status }: RawAnswer): Outcome {
  if (status === undefined) return 'closed';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}

/** Other callers notice nothing. */
async function callRightly(kind: string, { system, run, ledger }: Work): Promise<void> {
  const { apiKey } = system.account;
  const path = `/integration/v1/items/right-${randomUUID()}`;
  const repeat = `npm run fuzz -- --only http --seed ${run.seed}`;
  try {
    const url = system.product.apiUrl;
    const put = await callApi(url, { method: 'PUT', path, apiKey, body: anItemBody });
    ledger.note({ method: 'PUT', path }, { ...put, answers: 1, isTimeout: false, durationMs: 0 });
    const read = await callApi(url, { method: 'GET', path: `${path}?view=full`, apiKey });
    if (put.status === 202 && read.status === 200 && read.body.title === anItemBody.title) return;
    run.tally.find({ kind, what: `a right request afterwards: ${put.status}, ${read.status} ${read.text}`, repeat });
  } catch (error) {
    run.tally.find({ kind, what: `a right request afterwards failed: ${String(error)}`, repeat });
  }
}

async function untilBulkSyncsEnd({ system, ledger, bulkApiKeys, run, ended }: Work): Promise<void> {
  const deadline = Date.now() + bulkSyncsWithinMs;
  for (const id of ledger.bulkSyncs.filter((one) => !ended.has(one))) {
    while ((await readBulkSync({ system, bulkApiKeys }, id)).state === 'running') {
      if (Date.now() > deadline) {
        const repeat = `npm run fuzz -- --only http --seed ${run.seed}`;
        run.tally.find({ kind: 'bulk lines', what: `the bulk sync ${id} does not end`, repeat });
        break;
      }
      await pause(300);
    }
    ended.add(id);
  }
}

const bulkSyncsWithinMs = 180_000;

async function readBulkSync(
  { system, bulkApiKeys }: Pick<Work, 'system' | 'bulkApiKeys'>,
  id: string,
): Promise<{ state: string; created: number }> {
  const path = `/integration/v1/bulk-syncs/${id}`;
  const replies = await Promise.all(
    bulkApiKeys.map((apiKey) => callApi(system.product.apiUrl, { method: 'GET', path, apiKey })),
  );
  const found = replies.find(({ status }) => status === 200)?.body;
  if (found === undefined) throw new Error(`the bulk sync ${id} can't be read`);
  return { state: found.state, created: found.created };
}

async function compareRows(work: Work): Promise<void> {
  const { ledger, run } = work;
  await untilBulkSyncsEnd(work);
  for (const id of ledger.bulkSyncs) ledger.noteCreated((await readBulkSync(work, id)).created);
  console.error(`  accepted: ${ledger.describe()}`);
  const repeat = `npm run fuzz -- --only http --seed ${run.seed} --mutations ${run.mutationsEach}`;
  for (const what of await ledger.differences()) run.tally.find({ kind: kindOf, what, repeat });
}
