import type { LineError } from './rules/bulk-sync.ts';
import type { AccountId } from '../rules/ids.ts';
import type { BulkLine, CheckedLine } from '../../schemas/bulk-syncs/read-line.ts';

/** A line of an upload with the references that it names. */
export type NamedLine = BulkLine & { readonly line: number };

/** A line with a known account and item, and its request or refusal. */
export type PlacedLine = Omit<NamedLine, 'body' | 'repeated'> & { readonly accountId: AccountId } & CheckedLine;

/** Receives the lines of an upload, one after the other. */
export interface LineSink {
  take(line: PlacedLine): Promise<void> | undefined;
  /** For a line with an unknown item or account. */
  fail(error: LineError): Promise<void> | undefined;
}
