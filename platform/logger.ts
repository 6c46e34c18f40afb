import { pino, type Logger as PinoLogger, type LoggerOptions } from 'pino';

/** One wide line per unit of work: `logger.info({ itemId, durationMs }, 'item.settled')`. Never prose, never a secret. */
export type Logger = PinoLogger;

/** `component` is the process or loop that logs. Known secret fields are removed at any depth. `fd`: standard output. */
export function createLogger(component: string, level: string, fd = 1): Logger {
  const options: LoggerOptions = {
    level,
    base: { component },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
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
  };
  return pino(options, pino.destination({ fd, sync: true }));
}

/** Logs these fields alone, because a database's error quotes the rows that it refused: partners' data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack, cause } = error;
  return {
    type,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}
