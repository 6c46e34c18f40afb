import type { ItembridgeClient } from '../../client/create-itembridge-client.ts';
import { englishReport, explainReports } from '../../client/files/explain-reports.ts';
import type { FileFormat } from '../../client/files/item-file.ts';
import type { BulkSync, BulkSyncCheck, BulkSyncError, BulkSyncRemark } from '../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../client/itembridge-error.ts';
import type { SyncInput } from './sync-input.ts';
import { counted } from '../../features/rules/counted.ts';
import { showUnseen } from '../../features/rules/unseen-text.ts';

interface ReportOptions {
  readonly json: boolean;
  readonly errors?: string | undefined;
}

const shownErrorsMax = 10;

/** What is printed once the upload is accepted, in words or as one line of JSON. */
export const describeAccepted = (id: string, json: boolean): string =>
  json
    ? JSON.stringify({ id })
    : `Accepted as ${id}. "itembridge sync status ${id}" shows how far it is; the same command again watches it.`;

/** The outcome of a sync, in words or as one line of JSON. */
export function describeBulk(
  bulk: BulkSync,
  { json, errors, shown }: ReportOptions & { readonly shown: readonly string[] },
): string {
  if (json) return JSON.stringify({ ...bulk, ...errorsFile(bulk, errors) });
  const { id, state, mode, total, created, updated, unchanged, failed, removed } = bulk;
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed${remarks(bulk)}`;
  const taken = mode === 'snapshot' ? `, ${counted(removed, 'item')} taken down` : '';
  return [
    `${id} ${state}: ${counted(total, 'line')}, ${counts}${taken}`,
    ...bulk.remarks.map(describeRemark),
    ...leftOutLines(bulk, { kept: 'Kept', emptied: 'Emptied' }),
    ...reportedLines(bulk, shown, errors),
  ].join('\n');
}

export function describeCheck(
  check: BulkSyncCheck & Pick<BulkSync, 'leftOut'>,
  { json, errors, shown }: ReportOptions & { readonly shown: readonly string[] },
): string {
  if (json) return JSON.stringify({ ...check, dryRun: true, ...errorsFile(check, errors) });
  const { total, failed, removed } = check;
  const taken = removed > 0 ? `, ${counted(removed, 'item')} would be taken down` : '';
  return [
    `Dry run, nothing was changed: ${counted(total, 'line')}, ${failed} would fail${remarks(check)}${taken}`,
    ...check.remarks.map(describeRemark),
    ...leftOutLines(check, { kept: 'Would be kept', emptied: 'Would be emptied' }),
    ...reportedLines(check, shown, errors),
  ].join('\n');
}

/** What many lines have in common. */
function describeRemark({ field, message, line, count }: BulkSyncRemark): string {
  const where = count === 1 ? `line ${line}` : `${count} lines, the first is line ${line}`;
  return `  ${field} ${message} (${where})`;
}

/** Fields that the file has nothing for although the items have them. */
function leftOutLines(
  { leftOut, leftOutFields }: Pick<BulkSync, 'leftOut' | 'leftOutFields'>,
  words: { readonly kept: string; readonly emptied: string },
): string[] {
  if (leftOutFields.length === 0) return [];
  const fields = leftOutFields.map(({ field, lines }) => `${field} (${counted(lines, 'line')})`).join(', ');
  return [
    leftOut === 'keep'
      ? `${words.kept}, because the file has nothing there: ${fields}. With --replace they are emptied.`
      : `${words.emptied}, because the file has nothing there: ${fields}.`,
  ];
}

type Counts = Pick<BulkSync, 'failed' | 'warned' | 'repeated'>;

export const reportedOf = ({ failed, warned }: Pick<Counts, 'failed' | 'warned'>): number => failed + warned;

const remarks = ({ warned, repeated }: Counts): string =>
  (warned === 0 ? '' : `, ${warned} with warnings`) +
  (repeated === 0 ? '' : `, ${repeated} with an id that an earlier line has`);

/** The file exists only when there are reports. */
const errorsFile = (counts: Counts, file: string | undefined): object =>
  file === undefined || reportedOf(counts) === 0 ? {} : { errorsFile: file };

/** One line for each of the first reports: enough to see the problem. Fields are named as in the file. */
export async function describeFirst(
  errors: AsyncIterable<BulkSyncError> | Iterable<BulkSyncError>,
  { file, columns }: Pick<SyncInput, 'file' | 'columns'>,
): Promise<string[]> {
  const first: string[] = [];
  for await (const explained of explainReports(file, columns, errors)) {
    first.push(describeError(explained.report, englishReport(explained), file.format));
    if (first.length === shownErrorsMax) break;
  }
  return first;
}

function reportedLines(counts: Counts, shown: readonly string[], file: string | undefined): string[] {
  if (reportedOf(counts) === 0) return [];
  if (file !== undefined)
    return [
      counts.failed === 0
        ? `The lines with warnings are in ${file}.`
        : `The lines to correct are in ${file}: correct them there, and send that file.`,
    ];
  const more = reportedOf(counts) - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more: --errors FILE keeps all of them, to be corrected.`] : [])];
}

function describeError(
  { line, externalId, account, severity, code }: BulkSyncError,
  reasons: string,
  format: FileFormat,
): string {
  const of = account === undefined ? '' : ` of ${account}`;
  const where = `${format === 'json' ? 'item' : 'line'} ${line}`;
  return `  ${where}${externalId === null ? '' : ` (${showUnseen(externalId)}${of})`}: ${reasons} (${code ?? severity})`;
}

/** Returns undefined when the service does not have the bulk sync, or no longer has it. */
export async function findBulk(
  client: ItembridgeClient,
  id: string,
  signal?: AbortSignal,
): Promise<BulkSync | undefined> {
  try {
    return await client.bulkSyncs.read(id, signal && { signal });
  } catch (error) {
    if (error instanceof ItembridgeError && error.status === 404) return undefined;
    throw error;
  }
}
