import { setTimeout as delay } from 'node:timers/promises';
import type { CatalogueItem } from '../catalogue/load-catalogue.ts';
import { isRecord } from '../is-record.ts';
import type { ReadyFile } from '../ready-file.ts';

export interface ItemStatus {
  readonly externalId: string;
  readonly serviceStatus: string;
  readonly marketplaceStatus: string;
  readonly marketplaceAdId: string | null;
}

export interface Listing {
  readonly itemId: number;
  readonly ownReferences: readonly string[];
  readonly state: string;
  readonly imageCount: number;
  readonly startPrice: number;
}

/** What the example receiver took, with the exact bytes. */
export interface Received {
  readonly at: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBase64: string;
}

/** Looks at the running system from outside: the public API as the ERP, and the simulators' own view of what reached them. */
export class ObservedSystem {
  readonly #ready: ReadyFile;
  readonly #apiKey: string;

  constructor(ready: ReadyFile) {
    this.#ready = ready;
    this.#apiKey = ready.accounts.find(({ role }) => role === 'reseller')?.apiKey ?? '';
  }

  async statusOf(item: Pick<CatalogueItem, 'externalId' | 'account'>): Promise<ItemStatus> {
    return (await this.#readItem(item, '')) as unknown as ItemStatus;
  }

  /** The stored, flat form of the domain attributes; undefined from a service that doesn't show them. */
  async attributesOf(
    item: Pick<CatalogueItem, 'externalId' | 'account'>,
  ): Promise<Record<string, unknown> | undefined> {
    const { extendedAttributes } = await this.#readItem(item, '?view=full');
    return isRecord(extendedAttributes) ? extendedAttributes : undefined;
  }

  async listings(): Promise<Listing[]> {
    const { listings } = (await getJson(`${this.#ready.simulators.marketplace.adminUrl}/listings`)) as {
      listings: Listing[];
    };
    return listings;
  }

  async received(): Promise<Received[]> {
    const { received } = (await getJson(`${this.#ready.simulators.webhookReceiver.adminUrl}/received`)) as {
      received: Received[];
    };
    return received;
  }

  #readItem(
    { externalId, account }: Pick<CatalogueItem, 'externalId' | 'account'>,
    query: string,
  ): Promise<Record<string, unknown>> {
    const headers = { 'x-api-key': this.#apiKey, ...(account === null ? {} : { 'x-partner-account': account }) };
    return getJson(`${this.#ready.apiUrl}/integration/v1/items/${encodeURIComponent(externalId)}${query}`, headers);
  }
}

async function getJson(url: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(20_000) });
  if (response.status === 429) {
    await delay(Number(response.headers.get('retry-after') ?? 1) * 1000);
    return getJson(url, headers);
  }
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}: ${(await response.text()).slice(0, 200)}`);
  const body: unknown = await response.json();
  if (!isRecord(body)) throw new Error(`GET ${url} did not answer with an object`);
  return body;
}
