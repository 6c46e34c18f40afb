import { randomBytes, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { ReadyState } from '../../../embedded/ready-file.ts';
import { marketplaceIn } from '../../embedded/support/started-system.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

export interface Partner extends Person {
  readonly token: string;
  readonly apiKey: string;
  readonly userId: string;
  /** As the partner's own system: under `/integration/v1`, by the API key. Throws on a refusal. */
  push(externalId: string, item?: object): Promise<void>;
}

export const aPerson = (): Person => {
  const word = randomBytes(5).toString('hex');
  return { email: `${word}@browser.example`, password: `pass-${word}`, name: `Browser ${word}` };
};

export async function call<Answer>(
  url: string,
  method = 'GET',
  options: { headers?: object; body?: unknown } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(options.body !== undefined && { 'content-type': 'application/json' }), ...options.headers },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Answer;
}

/** An account with an API key, made as anybody makes one; with a connection to the marketplace unless told otherwise. */
export async function aPartner(
  { apiUrl, simulators }: ReadyState,
  wish: { isConnected?: boolean } = {},
): Promise<Partner> {
  const person = aPerson();
  await call(`${apiUrl}/auth/register`, 'POST', { body: person });
  const { email, password } = person;
  const { accessToken: token } = await call<{ accessToken: string }>(`${apiUrl}/auth/login`, 'POST', {
    body: { email, password },
  });
  const headers = { authorization: `Bearer ${token}` };
  const userId = String(Number.parseInt(randomUUID().slice(0, 8), 16));
  if (wish.isConnected !== false) {
    const user = await call<{ token: string }>(`${marketplaceIn({ simulators }).adminUrl}/users`, 'POST', {
      body: { userId },
    });
    const body = { marketplaceUserId: userId, token: user.token };
    await call(`${apiUrl}/partner/marketplace-connection`, 'PUT', { headers, body });
  }
  const { apiKey } = await call<{ apiKey: string }>(`${apiUrl}/integration/api-keys/generate`, 'POST', {
    headers,
    body: { name: 'Test ERP' },
  });
  return {
    ...person,
    token,
    apiKey,
    userId,
    push: async (externalId, item) => {
      await call(`${apiUrl}/integration/v1/items/${encodeURIComponent(externalId)}`, 'PUT', {
        headers: { 'x-api-key': apiKey },
        body: { title: `Thing ${externalId}`, price: 100, imageUrls: [], domain: { domain: 'toys' }, ...item },
      });
    },
  };
}

export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('form button[type=submit]').click();
  // The menu is there for whoever is signed in, on a phone behind its button.
  await page.locator('main#content h1').waitFor();
}
