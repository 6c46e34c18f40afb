import type { FuzzSystem, LogLine } from './fuzz-system.ts';
import type { Tally } from './tally.ts';

/** From now on: in a healthy system there are no errors in the log, whatever partners send, and never a secret. */
export function watchLogs(system: FuzzSystem): { judge(tally: Tally): void } {
  const processes = ['api', 'worker'] as const;
  const starts = processes.map((name) => system.logSince(name, 0).end);
  return {
    judge: (tally) => {
      for (const [index, name] of processes.entries()) {
        const { lines } = system.logSince(name, starts[index] ?? 0);
        const find = (what: string): void =>
          tally.find({ kind: 'logs', what: `${name}: ${what}`, repeat: 'npm run fuzz, with the same seed' });
        const errors = lines.filter(isError);
        if (errors.length > 0) find(`${errors.length} errors, the first: ${JSON.stringify(errors[0]).slice(0, 2_000)}`);
        if (system.secrets.some((secret) => lines.some((line) => JSON.stringify(line).includes(secret))))
          find('a secret is in the log');
      }
    },
  };
}

/** Also what is no line of the logger, a crash say; warnings of Temporal's SDK, and what Node says of our inspector, are no errors. */
const isError = ({ level, isRaw, msg }: LogLine): boolean =>
  isRaw === true ? !harmless.test(String(msg)) : typeof level === 'number' && level >= 50;

const harmless = /\b(?:WARN|INFO|DEBUG)\b|^Debugger |^For help, see: https:\/\/nodejs\.org\//;
