import Type from 'typebox';
import { openSessionListSchema, ownAccountSchema } from '../../schemas/accounts/own-account.ts';
import {
  loginSchema,
  passwordChangeSchema,
  registrationSchema,
  sessionSchema,
  readPasswordChange,
} from '../../schemas/accounts/sign-in.ts';
import { postLogin, postLogout, postRefresh, postRegister } from '../handlers/sign-in.ts';
import { deviceCookie, pageCookie, pageDeviceCookie, refreshCookie } from '../handlers/session-cookies.ts';
import { type Parameter, type Route, ok, noContent, param, type ScopedCall } from '../http/route.ts';
import { anyText } from './parameters.ts';
import { changePassword, readOwnAccount } from '../../features/accounts/own-account.ts';
import { endAllOtherSessions, endOneSession, listSessions } from '../../features/accounts/own-sessions.ts';

const refreshToken: Parameter = {
  component: 'RefreshToken',
  description: 'The refresh token, as `Set-Cookie` of the last answer gave it, under the name that it had there',
  schema: Type.String(),
};

const deviceToken: Parameter = {
  description:
    'Made by an earlier sign-in of this browser: its attempts are then counted apart from those of strangers, who so can not lock the owner out',
  schema: Type.String(),
};

const cookieOf = (name: string): string =>
  `\`${name}\`: HttpOnly, SameSite=Strict; where the service is reached by https \`__Host-${name}\`, Secure and sent to all paths`;

const signedInHeaders = {
  'Set-Cookie': `${cookieOf(refreshCookie.name)}, sent to ${refreshCookie.path} only, good for 7 days; ${cookieOf(deviceCookie.name)}, sent to ${deviceCookie.path} only; and for the public pages, sent to ${pageCookie.path} only, \`${pageCookie.name}\` (SameSite=Lax), which no route takes, and \`${pageDeviceCookie.name}\``,
};

const limits =
  'Limited by address and by email, across all processes: 429 with `Retry-After`, also for what would be right. Not repeatable by `Idempotency-Key`.';

export const sessionRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/auth/register',
    name: 'registerAccount',
    credential: 'none',
    tag: 'Session',
    summary: 'Make an account and open its first session',
    description: limits,
    request: { schema: registrationSchema },
    answers: { 201: { description: 'The account and a session', schema: sessionSchema, headers: signedInHeaders } },
    refusals: ['CONFLICT'],
    handle: postRegister,
  },
  {
    method: 'post',
    path: '/auth/login',
    name: 'login',
    credential: 'none',
    tag: 'Session',
    summary: 'Open a session',
    description: `${limits} A wrong password and an unknown email are answered the same.`,
    cookies: { [deviceCookie.name]: deviceToken },
    request: { schema: loginSchema },
    answers: { 200: { description: 'A session', schema: sessionSchema, headers: signedInHeaders } },
    refusals: ['UNAUTHORIZED', 'ACCOUNT_SUSPENDED'],
    handle: postLogin,
  },
  {
    method: 'post',
    path: '/auth/refresh',
    name: 'refreshSession',
    credential: 'none',
    tag: 'Session',
    summary: 'Renew the session',
    description: [
      'Gives a new access token and replaces the refresh token. The same refresh token sent again within 30 seconds gets the same',
      'successor, as long as that has not been used: two tabs, or an answer that got lost. Any other use of an old one ends the session with all its',
      'tokens. A session ends 7 days after its last renewal, and 30 days after it was opened.',
      'A page of another origin (`Origin`) is refused.',
    ].join(' '),
    cookies: { [refreshCookie.name]: refreshToken },
    answers: {
      200: {
        description: 'The session with a new access token',
        schema: sessionSchema,
        headers: { 'Set-Cookie': `The next ${cookieOf(refreshCookie.name)}, and \`${pageCookie.name}\`` },
      },
    },
    refusals: ['UNAUTHORIZED', 'ORIGIN_FORBIDDEN'],
    handle: postRefresh,
  },
  {
    method: 'post',
    path: '/auth/logout',
    name: 'logout',
    credential: 'none',
    tag: 'Session',
    summary: 'End the session',
    description: [
      'Its refresh token and its access tokens count no longer, at once. Asks for no access token; without a session nothing happens.',
      'A page of another origin (`Origin`) is refused.',
    ].join(' '),
    cookies: { [refreshCookie.name]: refreshToken },
    answers: {
      204: {
        description: 'There is no session',
        headers: { 'Set-Cookie': `Removes \`${refreshCookie.name}\` and \`${pageCookie.name}\`` },
      },
    },
    refusals: ['ORIGIN_FORBIDDEN'],
    handle: postLogout,
  },
  {
    method: 'get',
    path: '/auth/me',
    name: 'getOwnAccount',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Read the account of the session',
    description: 'Who is signed in, its own page while it is a reseller, and the reseller whose member it is.',
    answers: { 200: { description: 'The account', schema: ownAccountSchema } },
    handle: async ({ scope, context }: ScopedCall) => ok(readOwnAccount(context, scope)),
  },
  {
    method: 'post',
    path: '/auth/password',
    name: 'changePassword',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Change the password',
    description: [
      'Ends all other sessions of the account at once; the one that asks goes on, and API keys stay as they are. A wrong `oldPassword` is 422',
      '(401 would say that the session is over). Attempts are limited by address and by account, as logins are: 429 with `Retry-After`.',
    ].join(' '),
    request: { schema: passwordChangeSchema },
    answers: { 204: { description: 'Changed' } },
    refusals: ['CONFLICT'],
    handle: async (call: ScopedCall) =>
      noContent(changePassword(call.context, call.scope, { ...readPasswordChange(call.body), caller: call })),
  },
  {
    method: 'get',
    path: '/auth/sessions',
    name: 'listSessions',
    credential: 'jwt',
    tag: 'Session',
    summary: 'List the open sessions, newest first',
    description: 'Each with when it was opened, when it was used last, from where and by what program. At most 200.',
    answers: { 200: { description: 'The sessions', schema: openSessionListSchema } },
    handle: async ({ scope, context }: ScopedCall) => ({
      status: 200,
      body: { sessions: await listSessions(context, scope) },
    }),
  },
  {
    method: 'delete',
    path: '/auth/sessions',
    name: 'endOtherSessions',
    credential: 'jwt',
    tag: 'Session',
    summary: 'End all other sessions, at once',
    description:
      "Signs the account out everywhere but here: the other sessions' refresh tokens and access tokens count no longer. API keys stay as they are.",
    answers: { 204: { description: 'Only the session that asks is open' } },
    handle: async ({ scope, context }: ScopedCall) => noContent(endAllOtherSessions(context, scope)),
  },
  {
    method: 'delete',
    path: '/auth/sessions/{id}',
    name: 'endSession',
    credential: 'jwt',
    tag: 'Session',
    summary: 'End a session, at once',
    description: 'Its refresh token and its access tokens count no longer. It may be the one that asks.',
    params: { id: anyText('Id of the session', '6b0f1f57-2d0c-4a38-8a43-0f6f0c2d9d11') },
    answers: { 204: { description: 'Ended' } },
    refusals: ['NOT_FOUND'],
    handle: async (call: ScopedCall) => noContent(endOneSession(call.context, call.scope, param(call, 'id'))),
  },
];
