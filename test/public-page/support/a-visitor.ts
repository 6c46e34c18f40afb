import type { ApiWorld, TestAccount } from '../../support/api-world.ts';

/** What a visitor sees. Redirects are not followed by themselves. */
export interface Page {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Visitor {
  readonly cookies: Map<string, { readonly value: string; readonly path: string }>;
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** Sends a form of the page, with its hidden fields, as a browser does. */
  send(page: Page, form: string, options?: SendOptions): Promise<Page>;
  post(path: string, fields: Readonly<Record<string, string>>, options?: SendOptions): Promise<Page>;
  /** Opens where the answer leads to. */
  follow(page: Page): Promise<Page>;
  /** Signs in to the dashboard. */
  logIn(person: Pick<TestAccount, 'email' | 'password'>): Promise<string>;
}

export interface SendOptions {
  readonly fields?: Readonly<Record<string, string>>;
  /** Instead of `Origin` alone. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Sent = Pick<RequestInit, 'method' | 'body'> & { readonly headers?: Readonly<Record<string, string>> };

export const publicOrigin = 'http://api.test';

/** A browser without script: keeps cookies for their paths, and says where a form comes from. */
export function aVisitor(world: Pick<ApiWorld, 'url'>): Visitor {
  const cookies: Visitor['cookies'] = new Map();
  const call = async (path: string, init: Sent = {}): Promise<Page> => {
    const sent = [...cookies].filter(([, cookie]) => isBelow(path.replace(/\?.*/, ''), cookie.path));
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...init.headers };
    const response = await fetch(world.url + path, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    return { path, status: response.status, headers: response.headers, text: await response.text() };
  };
  const post: Visitor['post'] = (path, fields, { headers = { origin: publicOrigin } } = {}) =>
    call(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  return {
    cookies,
    post,
    open: (path, headers) => call(path, headers === undefined ? {} : { headers }),
    send: (page, form, options = {}) => {
      const { action, hidden } = formOf(page, form);
      return post(action, { ...hidden, ...options.fields }, options);
    },
    follow: (page) => call(page.headers.get('location') ?? 'nowhere'),
    logIn: async ({ email, password }) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await call('/auth/login', { method: 'POST', body: JSON.stringify({ email, password }), headers });
      if (answer.status !== 200) throw new Error(`login: ${String(answer.status)} ${answer.text}`);
      return (JSON.parse(answer.text) as { accessToken: string }).accessToken;
    },
  };
}

/** RFC 6265, 5.1.4. */
const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function keep(cookies: Visitor['cookies'], line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const at = pair.indexOf('=');
  const name = pair.slice(0, at);
  const path = attributes.find((attribute) => attribute.startsWith('Path='))?.slice('Path='.length) ?? '/';
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, { value: pair.slice(at + 1), path });
}

export interface ShownForm {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** The form of a page that posts to …/name. Throws when there is none. */
export function formOf({ text, path, status }: Page, name: string): ShownForm {
  const found = formsOf({ text }).find((form) => nameOf(form) === name);
  if (found === undefined) throw new Error(`${path} (${String(status)}) has no form ${name}:\n${text}`);
  return found;
}

/** Where it posts to, without the page and the language. */
export const nameOf = ({ action }: ShownForm): string => action.replace(/\?.*/, '').split('/').at(-1) ?? '';

export const formsOf = ({ text }: Pick<Page, 'text'>): ShownForm[] =>
  [...text.matchAll(/<form method="post" action="([^"]+)">(.*?)<\/form>/gs)].map(([, action = '', content = '']) => ({
    action,
    hidden: Object.fromEntries(
      [...content.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, field = '', value = '']) => [field, value],
      ),
    ),
  }));

/** What is read on a page: without tags, and with single spaces. */
export const wordsOf = ({ text }: Pick<Page, 'text'>): string =>
  text
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/[\s\u00A0]+/g, ' ');
