import { parseArgs } from 'node:util';

export interface StartOptions {
  readonly fresh: boolean;
  readonly examples: boolean;
  readonly port: number;
  readonly quiet: boolean;
  /** Takes servers beyond this machine in place of simulators. */
  readonly realMarketplace: boolean;
}

export const startUsage = 'npm start [-- --fresh] [--no-examples] [--port N] [--quiet] [--real-marketplace]';

/** Throws with the usage for an unknown flag or an invalid port. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      fresh: { type: 'boolean', default: false },
      'no-examples': { type: 'boolean', default: false },
      port: { type: 'string', default: '3000' },
      quiet: { type: 'boolean', default: false },
      'real-marketplace': { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`--port must be a number from 1 to 65535, not "${values.port}"`);
  return {
    fresh: values.fresh,
    examples: !values['no-examples'],
    port,
    quiet: values.quiet,
    realMarketplace: values['real-marketplace'],
  };
}
