import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** The data of the system run by `npm start`. */
export interface ReadySystem {
  readonly apiUrl?: string | undefined;
  readonly mongodbUri?: string | undefined;
  readonly temporalAddress?: string | undefined;
  readonly temporalUiUrl?: string | undefined;
  /** The first of the example accounts: the reseller. */
  readonly account?: { readonly email: string; readonly password: string; readonly apiKey: string } | undefined;
  /** Folder with the certificate for https://127.0.0.1 that the system trusts. */
  readonly tlsFolder?: string | undefined;
}

/** undefined when no system runs with this folder (`--home`, by default `.itembridge`). */
export function readReadyFile(home: string): ReadySystem | undefined {
  const file = join(home, 'ready.json');
  if (!existsSync(file)) return undefined;
  const ready: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const accounts = field(ready, 'accounts');
  const caFile = textField(ready, 'caFile');
  return {
    apiUrl: textField(ready, 'apiUrl'),
    mongodbUri: textField(ready, 'mongodbUri'),
    temporalAddress: textField(ready, 'temporalAddress'),
    temporalUiUrl: textField(ready, 'temporalUiUrl'),
    account: accountOf(Array.isArray(accounts) ? accounts[0] : undefined),
    tlsFolder: caFile === undefined ? undefined : isAbsolute(caFile) ? dirname(caFile) : home,
  };
}

function accountOf(value: unknown): ReadySystem['account'] {
  const [email, password, apiKey] = [
    textField(value, 'email'),
    textField(value, 'password'),
    textField(value, 'apiKey'),
  ];
  if (email === undefined || password === undefined || apiKey === undefined) return undefined;
  return { email, password, apiKey };
}

const textField = (value: unknown, name: string): string | undefined => {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
};

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
