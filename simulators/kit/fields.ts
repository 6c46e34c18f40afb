export interface TextLimits {
  readonly min?: number;
  readonly max?: number;
}

export interface NumberLimits extends TextLimits {
  readonly whole?: boolean;
}

/** Reads an outside object field by field; every method throws a 400 that names the field. `null` counts as absent. */
export interface Fields {
  has(name: string): boolean;
  text(name: string, limits?: TextLimits): string;
  number(name: string, limits?: NumberLimits): number;
  flag(name: string): boolean;
  list(name: string): readonly unknown[];
  texts(name: string, limits?: TextLimits): readonly string[];
  oneOf<Value extends string>(name: string, values: readonly Value[]): Value;
  object(name: string): Fields;
  raw(name: string): unknown;
}

export interface FieldsOptions {
  /** Code of the refusal, `InvalidRequest` by default. */
  readonly code?: string;
  /** Where the object stands, for messages: `shippingOptions.0.`. */
  readonly prefix?: string;
}

/** A reader for one object. Throws a 400 when `value` is no object. */
export function fieldsOf(value: unknown, options: FieldsOptions = {}): Fields {
  const code = options.code ?? 'InvalidRequest';
  const prefix = options.prefix ?? '';
  const fail = (name: string, expectation: string): never => {
    throw new Refusal(400, code, name === '' ? expectation : `${prefix}${name} must be ${expectation}`);
  };
  if (!isObject(value)) return fail('', `${prefix === '' ? 'the body' : prefix.slice(0, -1)} must be a JSON object`);
  const raw = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);

  const checkedText = (given: unknown, name: string, limits: TextLimits): string => {
    const { min = 0, max = 1_000_000 } = limits;
    if (typeof given !== 'string' || given.length < min || given.length > max)
      return fail(name, `text of ${min} to ${max} characters`);
    return given;
  };
  const list = (name: string): readonly unknown[] => {
    const given = raw(name);
    return Array.isArray(given) ? given : fail(name, 'a list');
  };

  return {
    raw,
    list,
    has: (name) => raw(name) !== undefined && raw(name) !== null,
    text: (name, limits = {}) => checkedText(raw(name), name, limits),
    texts: (name, limits = {}) => list(name).map((entry, index) => checkedText(entry, `${name}.${index}`, limits)),
    number(name, limits = {}) {
      const { min = 0, max = Number.MAX_SAFE_INTEGER, whole = false } = limits;
      const given = raw(name);
      const fits = typeof given === 'number' && Number.isFinite(given) && given >= min && given <= max;
      if (!fits || (whole && !Number.isInteger(given)))
        return fail(name, `a ${whole ? 'whole ' : ''}number from ${min} to ${max}`);
      return given;
    },
    flag(name) {
      const given = raw(name);
      return typeof given === 'boolean' ? given : fail(name, 'true or false');
    },
    oneOf(name, values) {
      const found = values.find((candidate) => candidate === raw(name));
      return found ?? fail(name, `one of ${values.join(', ')}`);
    },
    object: (name) => fieldsOf(raw(name), { code, prefix: `${prefix}${name}.` }),
  };
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An expected "no": answered with its status, code and public message, never logged as an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  /** Sent with the answer, such as Retry-After. */
  headers: Readonly<Record<string, string>> = {};

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
