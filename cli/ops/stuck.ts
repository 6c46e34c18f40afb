import { Command } from 'commander';
import { plainDuration, plainWords } from '../../features/operations/rules/explain-wait.ts';
import { blockedReasons, textOfReason } from '../../features/operations/rules/reasons.ts';
import { unservedQueues, type EngineReport, type StuckReport } from '../../features/operations/find-stuck.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { durationMs } from '../duration.ts';
import {
  addAccountOptions,
  addOperationsOptions,
  table,
  withOperations,
  type AccountOptions,
  type OperationsOptions,
} from './open-operations.ts';
import { counted } from '../../features/rules/counted.ts';

interface StuckOptions extends OperationsOptions, AccountOptions {
  readonly reason?: string;
  readonly since: string;
  readonly limit: string;
}

/** `itembridge ops stuck`. Exit code 1 when an operator should act, so that a script can tell. */
export const stuckCommand = addOperationsOptions(addAccountOptions(new Command('stuck')))
  .description('what stands still, since when and why; and whether workers and engine are there')
  .option('--reason <reason>', `only for this reason: ${blockedReasons.join(', ')}`)
  .option('--since <duration>', 'only what has been stuck for so long: 90s, 10m, 2h, 1d', '1m')
  .option('--limit <n>', 'rows of each list', '20')
  .action(showStuck);

async function showStuck({ reason, account, member, ...options }: StuckOptions): Promise<void> {
  if (reason !== undefined && !blockedReasons.includes(reason))
    throw new UsageError(`There is no reason "${reason}": ${blockedReasons.join(', ')}.`);
  const wish = { reason, account, member, sinceMs: durationMs(options.since), limit: limitOf(options.limit) };
  const report = await withOperations(options, (operations) => operations.findStuck(wish));
  console.log(options.json ? JSON.stringify(report, undefined, 2) : describeReport(report));
  if (isToBeActedOn(report)) process.exitCode = exitCodes.someFailed;
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) throw new UsageError('--limit is 1 to 1000.');
  return limit;
}

/**
 * True when an operator should act. Work that a partner must correct, or that ends by itself, is always present and
 * does not count.
 */
export function isToBeActedOn({ counts, overdue, engine, at }: StuckReport): boolean {
  if (engine.kind === 'away') return true;
  const isUnserved = unservedQueues(engine.queues, at).length > 0;
  const reasons = [...counts, ...engine.blocked].map(({ reason }) => reason ?? 'failing_step');
  return isUnserved || overdue.count > 0 || reasons.some(isForOperators);
}

const isForOperators = (reason: string): boolean => textOfReason(reason).helper === 'operator';

/** The report for people; problems that affect all accounts come first. */
export function describeReport(report: StuckReport): string {
  const sections = [
    ...engineSections(report.engine, report.at),
    overdueSection(report),
    section('Items by reason: for an operator to act on', countTable(report, isForOperators)),
    section(
      'Items by reason: for information (a partner has to act, or it ends by itself)',
      countTable(report, (reason) => !isForOperators(reason)),
    ),
    section('Longest in trouble', itemTable(report)),
    section('Webhook receivers in trouble (for information)', receiverTable(report)),
    section('Unfinished bulk syncs (for information)', bulkTable(report)),
  ].filter((text) => text !== '');
  return sections.length === 0 ? 'Nothing is stuck.' : sections.join('\n\n');
}

const section = (title: string, text: string): string => (text === '' ? '' : `${title}\n${text}`);

function engineSections(engine: EngineReport, at: Date): string[] {
  if (engine.kind === 'away')
    return [`The workflow engine is away: ${engine.message}. Writes are accepted and go on when it is back.`];
  const unserved = unservedQueues(engine.queues, at).map(({ kind, lastPolledAt, backlog }) => [
    kind,
    lastPolledAt === null ? 'no worker' : `no worker for ${ago(lastPolledAt, at)}`,
    `${backlog} waiting`,
  ]);
  const blocked = engine.blocked.map(({ workflowId, startedAt, externalId, stage, reason, problems }) => [
    ...[workflowId, externalId ?? '-', ago(startedAt, at), stage ?? '-', [reason ?? [], problems].flat().join(', ')],
  ]);
  return [
    section(
      'Kinds of work that no worker asks for (see "Worker down" in docs/operations.md)',
      table(['WORK', 'WORKER', 'BACKLOG'], unserved),
    ),
    section(
      'Workflows that stand still: a step or their code fails (see "A step or a workflow task fails")',
      table(['WORKFLOW', 'ITEM', 'BEGAN', 'STAGE', 'REASON'], blocked),
    ),
  ];
}

function overdueSection({ overdue: { count, oldest }, at }: StuckReport): string {
  if (count === 0 || oldest === null) return '';
  return `${counted(count, 'item')} should have been looked after, the first ${ago(oldest, at)} ago: no worker runs, or none reaches the engine.`;
}

const countTable = ({ counts, at }: StuckReport, isWanted: (reason: string) => boolean): string =>
  table(
    ['REASON', 'ITEMS', 'OLDEST', 'WAITING FOR'],
    counts
      .filter(({ reason }) => isWanted(reason))
      .map(({ reason, count, oldest, what }) => [reason, String(count), ago(oldest, at), what]),
  );

const itemTable = ({ items, at }: StuckReport): string =>
  table(
    ['ITEM', 'EXTERNAL ID', 'ACCOUNT', 'REASON', 'FOR', 'LAST ERROR'],
    items.map(({ itemId, externalId, accountId, reason, since, lastError }) => [
      ...[itemId, cell(externalId), accountId, reason, ago(since, at), cell(lastError ?? '-')],
    ]),
  );

const receiverTable = ({ receivers, at }: StuckReport): string =>
  table(
    [
      'RECEIVER',
      'ADDRESS',
      'ACCOUNT',
      'REASON',
      'FOR',
      'IN LINE',
      'OLDEST',
      'RETRIED',
      'NEXT',
      'IN A ROW',
      'MISSED',
      'LAST ERROR',
    ],
    receivers.map((one) => [
      ...[one.target, one.origin, one.accountId, one.reason, ago(new Date(one.since), at)],
      ...[String(one.waiting), one.oldestAt === null ? '-' : ago(new Date(one.oldestAt), at), String(one.retrying)],
      one.nextAttemptAt === null
        ? '-'
        : `in ${plainDuration(Math.max(0, Date.parse(one.nextAttemptAt) - at.getTime()))}`,
      ...[String(one.failCount), String(one.missed), cell(one.lastError ?? '-')],
    ]),
  );

const bulkTable = ({ bulkSyncs, at }: StuckReport): string =>
  table(
    ['BULK SYNC', 'ACCOUNT', 'STATE', 'LINES', 'FAILED', 'ACCEPTED'],
    bulkSyncs.map(({ id, actingAccountId, state, total, failed, acceptedAt }) => [
      ...[id, actingAccountId, state, String(total), String(failed), `${ago(acceptedAt, at)} ago`],
    ]),
  );

const ago = (time: Date, at: Date): string => plainDuration(at.getTime() - time.getTime());

/** Text of others for a terminal, without control characters that could move its cursor. */
// eslint-disable-next-line no-control-regex -- control characters are what is taken out
const cell = (text: string): string => plainWords(text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')).slice(0, 100);
