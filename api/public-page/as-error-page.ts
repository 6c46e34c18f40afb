import type { Request } from 'express';
import { isProfileSlug } from '../../schemas/resellers/profiles.ts';
import type { ErrorAnswer } from '../http/error-response.ts';
import type { Answer } from '../http/route.ts';
import { preferredLanguage, readLanguage, type Language } from './language.ts';
import { pageAddress } from './page-call.ts';
import { pageHeaders } from './page-headers.ts';
import { renderErrorPage } from './views/error-page-view.ts';

/** True when a person sees the answer: all paths under /p except the route for programs. */
export const isForPeople = ({ path }: Request): boolean => /^\/p(\/|$)/.test(path) && !/\/connect\/?$/.test(path);

/** Turns an error answer into a page, for paths of {@link isForPeople}. */
export function asErrorPage(request: Request, { code, status, headers }: ErrorAnswer, requestId: string): Answer {
  const { query } = request;
  const chosen = readLanguage(typeof query['lang'] === 'string' ? query['lang'] : undefined);
  const language = chosen ?? preferredLanguage(request.headers);
  const [, , slug = ''] = request.path.split('/');
  const address = isProfileSlug(slug) ? (lang: Language | undefined) => pageAddress(slug, { lang }) : undefined;
  const here = (lang: Language) => address?.(lang) ?? `?lang=${lang}`;
  const text = renderErrorPage({ code, language, requestId, address, here });
  return {
    status,
    content: { type: 'text/html; charset=utf-8', bytes: Buffer.from(text) },
    headers: { ...headers, ...pageHeaders(language), Vary: 'Accept-Language' },
  };
}
