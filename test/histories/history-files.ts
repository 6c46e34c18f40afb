import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { historyFromJson, historyToJson } from './history-json.ts';

const folder = dirname(fileURLToPath(import.meta.url));

/** A history as it was recorded; it carries no workflow id of its own. */
export interface RecordedHistory {
  /** `<version>/<workflow>/<name>`, where the file is. */
  readonly name: string;
  readonly workflowId: string;
  readonly events: readonly RecordedEvent[];
}

type Json = Record<string, unknown>;
export type RecordedEvent = Json & { readonly eventId: string; readonly eventType: string };

/** Every history ever recorded, oldest version first. */
export function readHistories(): RecordedHistory[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { workflowId, events } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as RecordedHistory;
      return { name: file.replace(/\.json$/, '').replaceAll('\\', '/'), workflowId, events };
    });
}

/** As the worker replays it. */
export const replayable = ({ workflowId, events }: RecordedHistory) => ({
  workflowId,
  history: historyFromJson({ events }),
});

/** Whether this version has the history `<workflow>/<name>`, alone or as several runs. */
export const isRecorded = (path: string): boolean =>
  ['', '-1'].some((suffix) => existsSync(join(folder, version(), `${path}${suffix}.json`)));

/** One run of a workflow, to be recorded. */
export interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/** Writes runs, oldest first, under the present version; several get a number each. */
export async function writeHistories(client: Client, path: string, runs: readonly Run[]): Promise<void> {
  if (runs.length === 0) throw new Error(`${path}: there is no run to record`);
  for (const [n, { workflowId, runId }] of runs.entries()) {
    const file = join(folder, version(), `${path}${runs.length === 1 ? '' : `-${n + 1}`}.json`);
    const history = historyToJson(await client.workflow.getHandle(workflowId, runId).fetchHistory());
    const { events } = history as { events: RecordedEvent[] };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, format(workflowId, anonymous(events)), { flag: 'wx' });
  }
}

/** All runs of a workflow id, oldest first. */
export async function runsOf(client: Client, workflowId: string): Promise<Run[]> {
  const found: { runId: string; startTime: Date }[] = [];
  for await (const run of client.workflow.list({ query: `WorkflowId = "${workflowId}"` })) found.push(run);
  return found
    .sort((one, other) => one.startTime.getTime() - other.startTime.getTime())
    .map(({ runId }) => ({ workflowId, runId }));
}

/** `HISTORIES_VERSION` is for a release whose number package.json has not got yet. */
const version = (): string => {
  const wanted = process.env['HISTORIES_VERSION'];
  if (wanted !== undefined) return wanted;
  const { version: present } = JSON.parse(readFileSync(join(folder, '..', '..', 'package.json'), 'utf8')) as Json;
  return String(present);
};

/** An event a line, so that a history can be read and compared. */
const format = (workflowId: string, events: readonly Json[]): string =>
  `{"workflowId": ${JSON.stringify(workflowId)}, "events": [\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;

/** Without what tells about the machine: process names, paths in stack traces, the queues of one test. */
const anonymous = (events: readonly RecordedEvent[]): Json[] =>
  events.map((event) => JSON.parse(JSON.stringify(event), withoutMachine) as Json);

function withoutMachine(key: string, value: unknown): unknown {
  if (key === 'stackTrace') return undefined;
  if (key === 'identity') return 'worker';
  if (isSticky(value)) return { ...value, name: 'sticky' };
  if (isJsonPayload(value)) return { ...value, data: withoutStacks(value.data) };
  if (typeof value !== 'string') return value;
  // Neither pattern can occur in base64.
  return value.replace(/\bt[0-9a-f]{12}\./g, 'itembridge.').replace(/\b\d+@[\w.-]+/g, 'worker');
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const isSticky = (value: unknown): value is Json => isObject(value) && value['kind'] === 'TASK_QUEUE_KIND_STICKY';
const isJsonPayload = (value: unknown): value is { data: string } =>
  isObject(value) && isObject(value['metadata']) && typeof value['data'] === 'string';

/** What an SDK puts into a payload of its own (a local activity's failure) may hold a stack as well. */
function withoutStacks(data: string): string {
  const text = Buffer.from(data, 'base64').toString('utf8');
  if (!text.includes('stack')) return data;
  const cleaned: unknown = JSON.parse(text, (key, value: unknown) => (/^stack(Trace)?$/.test(key) ? undefined : value));
  return Buffer.from(JSON.stringify(cleaned)).toString('base64');
}
