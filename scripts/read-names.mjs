import { SetupError } from './report-step.mjs';

/**
 * `[NAME … --flags]`: without a name all of `usual`. Flags go to the one that is named.
 * @param {readonly string[]} args
 * @param {{ known: readonly string[], usual?: readonly string[] }} of
 * @returns {{ names: readonly string[], flags: readonly string[] }}
 */
export function readNames(args, { known, usual = known }) {
  const firstFlag = args.findIndex((arg) => arg.startsWith('-'));
  const names = firstFlag === -1 ? args : args.slice(0, firstFlag);
  const flags = firstFlag === -1 ? [] : args.slice(firstFlag);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new SetupError(`there is no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  if (flags.length > 0 && names.length !== 1) throw new SetupError(`${flags[0]} needs one name`);
  return { names: names.length === 0 ? usual : names, flags };
}
