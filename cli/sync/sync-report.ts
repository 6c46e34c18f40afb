import type { BulkSync, BulkSyncCheck, BulkSyncError } from '../../client/generated/types.gen.ts';

interface ReportOptions {
  readonly json: boolean;
  readonly errors?: string | undefined;
}

const shownErrorsMax = 10;

export const describeAccepted = (id: string, json: boolean): string =>
  json
    ? JSON.stringify({ id })
    : `Accepted as ${id}. "itembridge sync status ${id}" shows how far it is; the same command again watches it.`;

/** The outcome of a sync, in words or as one line of JSON. */
export function describeBulk(
  bulk: BulkSync,
  { json, errors, shownErrors }: ReportOptions & { readonly shownErrors: readonly BulkSyncError[] },
): string {
  if (json) return JSON.stringify({ ...bulk, ...errorsFile(bulk, errors) });
  const { id, state, mode, total, created, updated, unchanged, failed, removed } = bulk;
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed${remarks(bulk)}`;
  const taken = mode === 'snapshot' ? `, ${removed} items taken down` : '';
  return [`${id} ${state}: ${total} lines, ${counts}${taken}`, ...reportedLines(bulk, shownErrors, errors)].join('\n');
}

/** The result of a dry run. */
export function describeCheck(check: BulkSyncCheck, { json, errors }: ReportOptions): string {
  if (json) return JSON.stringify({ ...check, dryRun: true, ...errorsFile(check, errors) });
  const { total, failed, removed } = check;
  const taken = removed > 0 ? `, ${removed} items would be taken down` : '';
  return [
    `Dry run, nothing was changed: ${total} lines, ${failed} would fail${remarks(check)}${taken}`,
    ...reportedLines(check, check.errors.slice(0, shownErrorsMax), errors),
  ].join('\n');
}

type Counts = Pick<BulkSync, 'failed' | 'warned' | 'repeated'>;

/** Lines that failed, or have warnings. */
export const reportedOf = ({ failed, warned }: Pick<Counts, 'failed' | 'warned'>): number => failed + warned;

const remarks = ({ warned, repeated }: Counts): string =>
  (warned === 0 ? '' : `, ${warned} with warnings`) +
  (repeated === 0 ? '' : `, ${repeated} with an id that an earlier line has`);

/** The file only exists when there are reports. */
const errorsFile = (counts: Counts, file: string | undefined): object =>
  file === undefined || reportedOf(counts) === 0 ? {} : { errorsFile: file };

/** Returns the first errors, enough to see the problem. */
export async function firstErrors(errors: AsyncIterable<BulkSyncError>): Promise<BulkSyncError[]> {
  const first: BulkSyncError[] = [];
  for await (const error of errors) {
    first.push(error);
    if (first.length === shownErrorsMax) break;
  }
  return first;
}

function reportedLines(counts: Counts, shown: readonly BulkSyncError[], file: string | undefined): string[] {
  if (reportedOf(counts) === 0) return [];
  if (file !== undefined) return [`What is to be said of lines is in ${file}.`];
  const more = reportedOf(counts) - shown.length;
  return [...shown.map(describeError), ...(more > 0 ? [`… and ${more} more: --errors FILE keeps all of them.`] : [])];
}

function describeError({ line, externalId, account, severity, error, code, details = [] }: BulkSyncError): string {
  const of = account === undefined ? '' : ` of ${account}`;
  const reasons = details.length === 0 ? error : details.map(({ field, message }) => `${field} ${message}`).join('; ');
  return `  line ${line}${externalId === null ? '' : ` (${externalId}${of})`}: ${reasons} (${code ?? severity})`;
}
