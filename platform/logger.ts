import { pino, type Logger as PinoLogger } from 'pino';

/** One wide line per unit of work: `logger.info({ itemId, durationMs }, 'item.settled')`. Never prose, never a secret. */
export type Logger = PinoLogger;

/** `component` is the process or loop that logs. Known secret fields are removed at any depth. */
export function createLogger(component: string, level: string): Logger {
  return pino({
    level,
    base: { component },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        'apiKey',
        'authorization',
        'password',
        'secret',
        'token',
        '*.apiKey',
        '*.authorization',
        '*.password',
        '*.secret',
        '*.token',
      ],
      censor: '***',
    },
  });
}
