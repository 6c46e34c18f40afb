import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const chart = join('deploy', 'helm', 'itembridge');
/** The chart is tried with these. */
export const valueFiles = ['small', 'tls-and-s3', 'kinds', 'bare'] as const;
export type ValueFile = (typeof valueFiles)[number];

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

/** The version of a tool. */
export function pinned(tool: string): string {
  const { tools } = JSON.parse(readFileSync('scripts/versions.json', 'utf8')) as {
    tools: Record<string, { version: string }>;
  };
  return tools[tool]?.version ?? `no version of ${tool}`;
}

/** Throws with the reason when the program could not be had: a proof that was not made is no proof. */
export function requireProgram(path: string | undefined, problem: string | undefined): string {
  if (path === undefined) throw new Error(problem ?? 'start this with npm run verify -- chart');
  return path;
}

export function helm(...args: readonly string[]): { readonly isTaken: boolean; readonly said: string } {
  const program = requireProgram(process.env['TEST_HELM_BIN'], process.env['TEST_HELM_PROBLEM']);
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { isTaken: status === 0, said: status === 0 ? stdout : stderr };
}

/** A helm that is built as we do says of itself that it is for an old Kubernetes. */
const kubernetes = ['--kube-version', pinned('kubernetes')];

export const template = (
  values: ValueFile,
  { from = chart, sets = [] }: TemplateOptions = {},
): ReturnType<typeof helm> =>
  helm('template', 'shop', from, ...kubernetes, '--values', fileOf(values), ...sets.flatMap((set) => ['--set', set]));

interface TemplateOptions {
  readonly from?: string;
  /** `path.of.a.value=…` */
  readonly sets?: readonly string[];
}

export const fileOf = (values: ValueFile): string => join(chart, 'ci', `${values}.yaml`);

/** What the chart makes of a file of values, hooks included, under the release `shop`. */
export function render(values: ValueFile, from?: string): string {
  const { isTaken, said } = template(values, { ...(from !== undefined && { from }) });
  if (!isTaken) throw new Error(`${values}: ${said}`);
  return said;
}

export const manifestsIn = (rendered: string): readonly Manifest[] =>
  rendered
    .split(/^---$/m)
    .filter((text) => /^kind:/m.test(text))
    .map((text) => ({
      apiVersion: read(text, 'apiVersion'),
      kind: read(text, 'kind'),
      name: read(text, '  name'),
      text,
    }));

function read(text: string, field: string): string {
  const value = new RegExp(`^${field}: (.*)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`no ${field} in ${text}`);
  return value;
}
