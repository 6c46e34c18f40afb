import ava, { type ExecutionContext, type TeardownFn } from 'ava';
import pLimit from 'p-limit';
import { beginProcess, wrongAfterFile } from './at-end.ts';

/**
 * Many test files run in one process of ava. Each file keeps what ava gives a file of its own: its hooks run around its tests
 * only, its serial tests run one after another before the others, and its titles begin with its name.
 */
export interface TestFile {
  (title: string, run: Run, ...args: unknown[]): void;
  readonly serial: ((title: string, run: Run, ...args: unknown[]) => void) & { readonly before: DeclareHook };
  readonly skip: (title: string, run: Run) => void;
  readonly before: DeclareHook;
  readonly beforeEach: DeclareHook;
  readonly after: { readonly always: DeclareHook };
  readonly afterEach: { readonly always: DeclareHook };
}

type Run = (t: ExecutionContext<any>, ...args: unknown[]) => unknown; // eslint-disable-line @typescript-eslint/no-explicit-any -- each file knows the type of its own context
type DeclareHook = (...args: [run: Run] | [title: string, run: Run]) => void;

interface Test {
  readonly title: string;
  readonly run: Run;
  readonly isSerial: boolean;
}

/** A test that ava has called, because `--match` selects it. */
interface Called {
  readonly test: Test;
  readonly t: ExecutionContext;
  readonly end: (error?: unknown) => void;
}

interface File {
  readonly name: string;
  readonly tests: Test[];
  readonly hooks: Readonly<Record<'before' | 'beforeEach' | 'afterEach' | 'after', Run[]>>;
  readonly called: Called[];
}

const files: File[] = [];

/** What a test file gets when it imports ava. `name` is its path, such as `test/items/money.test.ts`. */
export function testFile(name: string): TestFile {
  const file: File = { name, tests: [], hooks: { before: [], beforeEach: [], afterEach: [], after: [] }, called: [] };
  files.push(file);
  const declare =
    (isSerial: boolean) =>
    (title: string, run: Run, ...args: unknown[]) => {
      file.tests.push({ title, run: (t) => run(t, ...args), isSerial });
    };
  const hook = (kind: keyof File['hooks']): DeclareHook => {
    return (...args) => file.hooks[kind].push(args.length === 1 ? args[0] : args[1]);
  };
  return Object.assign(declare(false), {
    serial: Object.assign(declare(true), { before: hook('before') }),
    skip: (title: string, run: Run) => {
      ava.skip(fullTitle(file, title), run);
    },
    before: hook('before'),
    beforeEach: hook('beforeEach'),
    after: { always: hook('after') },
    afterEach: { always: hook('afterEach') },
  });
}

/** Called when all files of the bundle are loaded: ava takes tests only until its next tick. */
export function runFiles(filesAtOnce: number): void {
  const ends = beginProcess();
  ava.after.always('what the files have shared ends', async () => {
    for (const end of ends) await end();
  });
  const place = pLimit(filesAtOnce);
  for (const file of files)
    for (const test of file.tests)
      ava(fullTitle(file, test.title), async (t) => {
        // ava calls all selected tests in one turn of the event loop.
        if (file.called.length === 0)
          setImmediate(() => {
            place(runFile, file).catch(fail);
          });
        await new Promise<void>((resolve, reject) => {
          const end = (error?: unknown): void => (error === undefined ? resolve() : reject(asError(error)));
          file.called.push({ test, t, end });
        });
      });
}

/** `test/items/money.test.ts` and a title give `core/money › title`. */
const fullTitle = (file: File, title: string): string => {
  return `${file.name.replace(/^(test|verification)\//, '').replace(/\.test\.ts$/, '')} › ${title}`;
};

/** What fails beside the tests ends the process, which ava counts as a failure. */
function fail(error: unknown): never {
  throw asError(error);
}

async function runFile(file: File): Promise<void> {
  const [first] = file.called;
  if (first === undefined) return;
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const problem = await problemOf(async () => {
    for (const run of file.hooks.before) await run(first.t);
  });
  const context: unknown = first.t.context;
  // A hook that fails after the tests fails the last of them: ava has no other place for it.
  const last = file.called.at(-1) ?? first;
  let lastError: unknown;
  let failed = 0;
  const runOne = async (called: Called): Promise<void> => {
    const error = problem ?? (await problemOf(() => runTest(file, called, context)));
    if (error !== undefined) failed += 1;
    if (called === last) lastError = error;
    else called.end(error);
  };
  for (const called of file.called.filter(({ test }) => test.isSerial)) await runOne(called);
  await Promise.all(file.called.filter(({ test }) => !test.isSerial).map(runOne));
  const problemAfter = await problemOf(async () => {
    for (const run of file.hooks.after) await run(last.t);
  });
  last.end(lastError ?? problemAfter ?? wrongAfterFile());
  // Read by scripts/report-tests.mjs.
  console.log(`test file ended: ${file.name} ${file.called.length} ${failed}`);
  if (process.env['TEST_TIMES'] !== undefined) sayTimes(file, { startedAt, cpuBefore });
}

/** Seconds, and seconds of processor time of this process: what its children and the servers take is not in it. */
function sayTimes({ name }: File, { startedAt, cpuBefore }: { startedAt: number; cpuBefore: NodeJS.CpuUsage }): void {
  const { user, system } = process.cpuUsage(cpuBefore);
  const wall = (performance.now() - startedAt) / 1000;
  console.error(`TIME ${wall.toFixed(2)} s, CPU ${((user + system) / 1e6).toFixed(2)} s: ${name}`);
}

/** A test with the hooks around it and what it wants done at its end. */
async function runTest(file: File, { test, t }: Called, context: unknown): Promise<void> {
  t.context = typeof context === 'object' && context !== null ? { ...context } : context;
  const teardowns: (() => unknown)[] = [];
  // ava would run them after the hooks of the file, which close what they use.
  const teardown: TeardownFn = (run) => teardowns.push(run);
  Object.assign(t, { teardown });
  const errors: unknown[] = [];
  const attempt = async (run: () => unknown): Promise<void> => {
    const error = await problemOf(async () => {
      await run();
    });
    if (error !== undefined) errors.push(error);
  };
  await attempt(async () => {
    for (const run of file.hooks.beforeEach) await run(t);
    await test.run(t);
  });
  for (const run of file.hooks.afterEach) await attempt(() => run(t));
  for (const run of teardowns.reverse()) await attempt(run);
  if (errors.length > 0) throw asError(errors[0]);
}

async function problemOf(run: () => Promise<void>): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error ?? new Error('something undefined was thrown');
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
