import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface NamedKey {
  readonly id: string;
  readonly secret: string;
}

/** The configuration can't be used; the message names every variable with its problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type ReadSettings = ReturnType<typeof createReader>;

/**
 * Reads settings of the environment, each as `NAME` or, with `NAME_FILE`, from a file. Problems are added to
 * `problems`, and thrown by `requireSound`.
 */
export function createReader(environment: Environment, problems: string[]) {
  const unreadable = new Map<string, string>();
  const raw = (name: string): string | undefined => readRaw(environment, unreadable, name);
  const text = (name: string, fallback?: string): string => {
    const value = raw(name) ?? fallback ?? '';
    if (value === '') problems.push(`${name} (or ${name}_FILE) is missing`);
    return value;
  };
  const optional = (name: string): string => raw(name) ?? '';
  return {
    text,
    optional,
    /**
     * Throws {@link ConfigError} with every problem. While files cannot be read it names these alone, because problems may follow from
     * their missing values.
     */
    requireSound(): void {
      const named = unreadable.size > 0 ? [...unreadable.values()] : problems;
      if (named.length > 0) throw new ConfigError(`configuration: ${named.join('; ')}`);
    },
    /** Base of addresses, without a trailing slash; '' for none. */
    base: (name: string): string => optional(name).replace(/\/+$/, ''),
    /** The first value is the default. */
    oneOf<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
      const value = raw(name);
      const found = values.find((candidate) => candidate === value);
      if (found === undefined && value !== undefined && value !== '')
        problems.push(`${name} must be ${values.join(' or ')} here, not ${JSON.stringify(value)}`);
      return found ?? values[0];
    },
    wholeNumber(name: string, fallback: number, max = Number.MAX_SAFE_INTEGER): number {
      const value = raw(name);
      if (value === undefined || value === '') return fallback;
      if (!/^\d+$/.test(value)) problems.push(`${name} must be a whole number, not ${JSON.stringify(value)}`);
      else if (Number(value) > max) problems.push(`${name} must be at most ${max}, not ${value}`);
      return Number(value);
    },
    positiveNumber(name: string, fallback: number): number {
      const value = raw(name) ?? '';
      if (value !== '' && !/^0*[1-9]\d*$/.test(value))
        problems.push(`${name} must be a whole number from 1, not ${JSON.stringify(value)}`);
      return value === '' ? fallback : Number(value);
    },
    flag(name: string): boolean {
      const value = raw(name) ?? 'false';
      if (value !== 'true' && value !== 'false') problems.push(`${name} must be true or false`);
      return value === 'true';
    },
    list: (name: string): readonly string[] =>
      (raw(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    keys(name: string): readonly NamedKey[] {
      const parts = text(name)
        .split(',')
        .filter((part) => part !== '');
      return parts.map((part) => {
        const colon = part.indexOf(':');
        if (colon < 1) problems.push(`${name} must be a list of id:secret`);
        return { id: part.slice(0, colon), secret: part.slice(colon + 1) };
      });
    },
  };
}

/** The variable, or the text of its file; undefined, and noted in `unreadable`, when that cannot be read. */
function readRaw(environment: Environment, unreadable: Map<string, string>, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === '') return environment[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    unreadable.set(name, `${name}_FILE cannot be read: ${reason}`);
    return undefined;
  }
}
