import { readFileSync } from 'node:fs';

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string };

/** The log of a process, line by line; what is no JSON (Node's own warnings) is left out. */
export const logLines = (file: string): LogLine[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line.startsWith('{') ? [JSON.parse(line) as LogLine] : [];
      } catch {
        return [];
      }
    });
