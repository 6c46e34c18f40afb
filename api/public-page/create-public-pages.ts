import { authenticatePage } from '../../features/accounts/authenticate-session.ts';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import { logoTypeOf } from '../../features/resellers/rules/logo.ts';
import type { Context } from '../../features/context.ts';
import { readProfileLogo } from '../../features/resellers/profiles.ts';
import { cookieValue, cookieValues, invitationCookie, pageCookie } from '../handlers/session-cookies.ts';
import { addressOf } from '../http/rate-limit.ts';
import { recordOf } from '../http/request-record.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { findAsset } from './views/layout.ts';
import { formTokenField, sharesOrdersField, shownResellerField } from './form-token.ts';
import { preferredLanguage, readLanguage } from './language.ts';
import { postJoin, postLeave, postSharing, postSignIn, postSignOut, postSignUp } from './join-forms.ts';
import { backToPage, formNames, type FormName, type PageAnswer, type PageCall } from './page-call.ts';
import { readForm, requireOwnPage, type Form } from './read-form.ts';
import { getPage, showRefused } from './show-page.ts';

type Handle = (call: PageCall) => Promise<PageAnswer>;

interface FormRoute {
  readonly fields: readonly string[];
  readonly handle: Handle;
}

const forms: Readonly<Record<FormName, FormRoute>> = {
  join: { fields: [shownResellerField, sharesOrdersField], handle: postJoin },
  sharing: { fields: [shownResellerField, sharesOrdersField], handle: postSharing },
  leave: { fields: [shownResellerField], handle: postLeave },
  'sign-up': { fields: [shownResellerField, sharesOrdersField, 'name', 'email', 'password'], handle: postSignUp },
  'sign-in': { fields: ['email', 'password'], handle: postSignIn },
  'sign-out': { fields: [], handle: postSignOut },
};

/**
 * The pages on which members join a reseller. They work without scripts and are not in the route table: they are HTML with forms,
 * and recognise visitors by the `session` cookie. The application renders their errors as HTML.
 */
export function createPublicPages(context: Context): Router {
  const pages = Router({ caseSensitive: true });
  pages.get('/p/assets/:file', serveAsset);
  pages.get('/p/:slug/logo', serveLogo(context));
  pages.get('/p/:slug', serve(context, { route: '/p/{slug}', handle: getPage }));
  for (const name of formNames) {
    const route = `/p/{slug}/${name}`;
    pages.post(`/p/:slug/${name}`, serve(context, { route, fields: forms[name].fields, handle: handleForm(name) }));
    // A reload or a link to a form's address shows the page and has no effect.
    pages.get(`/p/:slug/${name}`, serve(context, { route, handle: async (call) => backToPage(call) }));
  }
  pages.use('/p', refuseMethod);
  return pages;
}

const handleForm =
  (name: FormName): Handle =>
  async (call) => {
    try {
      return await forms[name].handle(call);
    } catch (error) {
      return showRefused(call, name, error);
    }
  };

interface Served {
  /** The route name in the log. */
  readonly route: string;
  /** The fields of a form; undefined: the body is not read. */
  readonly fields?: readonly string[];
  readonly handle: Handle;
}

const serve =
  (context: Context, { route, fields, handle }: Served): RequestHandler =>
  async (request, response) => {
    const record = recordOf(response);
    record.route = route;
    const call = await openCall(context, { request, response, fields });
    if (call.scope !== null) record.scope = call.scope;
    const { code, ...answer } = await handle(call);
    if (code !== undefined) record.code = code;
    sendAnswer(response, answer);
  };

interface Opened {
  readonly request: Request;
  readonly response: Response;
  readonly fields: readonly string[] | undefined;
}

/** The origin of a form is checked before its body is read. */
async function openCall(context: Context, { request, response, fields }: Opened): Promise<PageCall> {
  const { headers, query } = request;
  const form = fields === undefined ? {} : await readOwnForm(context, request, fields);
  const chosenLanguage = readLanguage(textOf(query['lang']));
  const { requestId } = recordOf(response);
  const visitor = await authenticatePage(context, cookieValues(headers, pageCookie, context.publicUrl));
  return {
    context,
    headers,
    form,
    requestId,
    chosenLanguage,
    address: addressOf(request),
    slug: textOf(request.params['slug']) ?? '',
    language: chosenLanguage ?? preferredLanguage(headers),
    done: textOf(query['done']),
    linkedInvitation: textOf(query['invitation']),
    invitation: cookieValue(headers, invitationCookie, context.publicUrl),
    scope: visitor && { ...visitor, requestId },
  };
}

async function readOwnForm({ publicUrl }: Context, request: Request, fields: readonly string[]): Promise<Form> {
  requireOwnPage(request.headers, publicUrl);
  return readForm(request, new Set([formTokenField, ...fields]));
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const serveAsset: RequestHandler = ({ params }, response, next) => {
  const found = findAsset(textOf(params['file']) ?? '');
  if (found === undefined) {
    next();
    return;
  }
  const { asset, isCurrent } = found;
  recordOf(response).route = '/p/assets/{file}';
  sendAnswer(response, { status: 200, content: asset, headers: { 'Cache-Control': cachingOf(isCurrent) } });
};

/** Another picture has another address. Under a former one the present picture is answered, and must not be kept. */
const serveLogo =
  (context: Context): RequestHandler =>
  async ({ params, query }, response) => {
    recordOf(response).route = '/p/{slug}/logo';
    const { base64, tag } = await readProfileLogo(context, textOf(params['slug']) ?? '');
    const bytes = Buffer.from(base64, 'base64');
    const headers = { 'Cache-Control': cachingOf(query['v'] === tag) };
    sendAnswer(response, { status: 200, content: { type: logoTypeOf(bytes) ?? '', bytes }, headers });
  };

const cachingOf = (isCurrent: boolean): string => (isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache');

/** A page accepts GET, a form also POST. */
const refuseMethod: RequestHandler = ({ method, path }, response, next) => {
  const [, slug, form, ...rest] = path.replace(/\/$/, '').split('/');
  const isForm = formNames.some((name) => name === form);
  if (slug === undefined || rest.length > 0 || (form !== undefined && !isForm)) {
    next();
    return;
  }
  const methods = isForm ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
  response.setHeader('Allow', methods.join(', '));
  throw new Refusal('METHOD_NOT_ALLOWED', `This path takes ${methods.join(', ')}, not ${method}`);
};
