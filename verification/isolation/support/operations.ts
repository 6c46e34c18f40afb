import { interfaceDocument } from '../../../test/support/interface-document.ts';

/** Which credential an operation asks for; `either` takes a key or a session. */
export type Credential = 'none' | 'key' | 'session' | 'either';

/** One operation of the interface document, as far as an attacker needs it. */
export interface Operation {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** With `{names}`. */
  readonly path: string;
  readonly credential: Credential;
  /** Scope that a key must have for it; undefined where any key will do, or none is taken. */
  readonly keyScope: string | undefined;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly isIdempotent: boolean;
  readonly hasBody: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-key-scope'?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: unknown;
}

const document = interfaceDocument<{
  readonly paths: Record<string, Record<string, DescribedOperation>>;
}>();

/** Every operation of the document, in its order. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => {
    const namesIn = (place: string): string[] =>
      described.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
    return {
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      credential: credentialOf(described.security),
      keyScope: described['x-key-scope'],
      pathParameters: namesIn('path'),
      queryParameters: namesIn('query'),
      isIdempotent: namesIn('header').includes('Idempotency-Key'),
      hasBody: described.requestBody !== undefined,
    };
  }),
);

function credentialOf(security: DescribedOperation['security']): Credential {
  const names = security.flatMap((one) => Object.keys(one));
  const takesKey = names.includes('apiKey');
  const takesSession = names.includes('session');
  if (takesKey && takesSession) return 'either';
  if (takesKey) return 'key';
  return takesSession ? 'session' : 'none';
}
