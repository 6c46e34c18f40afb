import type { Client } from './generated/client/index.ts';
import type { RetrySettings } from './retries.ts';

/** What the parts of the client share. */
export interface Transport {
  readonly client: Client;
  readonly baseUrl: string;
  readonly retries: RetrySettings;
  readonly fetch: typeof fetch;
  /** `User-Agent`, and the credential of the calls that take the API key. */
  readonly headers: Readonly<Record<string, string>>;
}
