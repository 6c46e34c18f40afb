import {
  apiKeyListSchema,
  generatedApiKeySchema,
  newApiKeySchema,
  readNewApiKey,
} from '../../schemas/accounts/api-key.ts';
import {
  accessRevocationSchema,
  emailChangeSchema,
  emailConfirmationSchema,
  forgottenPasswordSchema,
  linkOutcomeSchema,
  noticesSchema,
  noticesWishSchema,
  passwordResetSchema,
  revokedAccessSchema,
  readAccessRevocation,
  readEmailChange,
  readEmailConfirmation,
  readForgottenPassword,
  readNoticesWish,
  readPasswordReset,
} from '../../schemas/accounts/own-account.ts';
import { type Route, ok, noContent, param, type Call, type ScopedCall } from '../http/route.ts';
import { anyText } from './parameters.ts';
import {
  askForConfirmation,
  askForNewEmail,
  askForNewPassword,
  confirmEmail,
  revokeByToken,
  setForgottenPassword,
} from '../../features/accounts/account-email.ts';
import { chooseNotices, readNotices } from '../../features/accounts/own-account.ts';
import { generateApiKey } from '../../features/accounts/create-api-key.ts';
import { revokeApiKey } from '../../features/accounts/revoke-api-key.ts';
import { listApiKeys } from '../../features/accounts/list-api-keys.ts';
import { keyModesOf } from '../../features/accounts/sandbox.ts';
import { noStore } from '../http/error-response.ts';

export const accountRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/integration/api-keys/generate',
    name: 'generateApiKey',
    credential: 'jwt',
    idempotent: true,
    tag: 'API keys',
    summary: 'Generate an API key',
    description: [
      'The key is in this answer and never again, because only a hash of it is stored. It goes into the header `x-api-key`.',
      'With `mode: "test"` it is a key of the account\'s sandbox, and begins with `sk_test_`: an account apart, with its own items, webhooks, events, orders, quota and log of calls, whose items go to a simulated marketplace. The first test key makes it. Webhooks of the sandbox are managed with the key, by `/integration/v1/webhooks`. `X-Partner-Account` names no member there (403).',
      'It may have scopes, an end and addresses; each that is left out bounds nothing. A key never changes: to bound it otherwise, make another and revoke this one.',
      '',
      '- 409 `CONFLICT`: the account has as many active keys of this mode as it may; revoke one first.',
      '- 422 `VALIDATION_FAILED` about `mode`: this service has no sandbox, or no real marketplace.',
      '- 503 `UNAVAILABLE`: the simulated marketplace does not answer; try again.',
    ].join('\n'),
    request: { schema: newApiKeySchema, isOptional: true },
    answers: { 200: { description: 'The key, shown only here', schema: generatedApiKeySchema } },
    refusals: ['CONFLICT', 'UNAVAILABLE'],
    // 200 and not 201: specification "Management".
    handle: async ({ scope, body, context }: ScopedCall) => ok(generateApiKey(context, scope, readNewApiKey(body))),
  },
  {
    method: 'get',
    path: '/integration/api-keys',
    name: 'listApiKeys',
    credential: 'jwt',
    tag: 'API keys',
    summary: 'List the active API keys',
    description:
      'Without those that were revoked; `state` warns of those that end within 14 days or have ended. `prefix` tells which key it is; the key itself is never shown again.',
    answers: { 200: { description: 'Newest first', schema: apiKeyListSchema } },
    handle: async ({ scope, context }: ScopedCall) => ({
      status: 200,
      body: { keys: await listApiKeys(context, scope), modes: keyModesOf(context.sandbox) },
    }),
  },
  {
    method: 'delete',
    path: '/integration/api-keys/{id}',
    name: 'revokeApiKey',
    credential: 'jwt',
    tag: 'API keys',
    summary: 'Revoke an API key, at once',
    description:
      "Calls with it fail from then on, also those that are on their way. 404 for a key that is not there, or is another account's.",
    params: { id: anyText('Id of the key', 'f4a1c2d3-5b6e-4f70-8192-a3b4c5d6e7f8') },
    answers: { 204: { description: 'Revoked' } },
    refusals: ['NOT_FOUND'],
    handle: async (call: ScopedCall) => noContent(revokeApiKey(call.context, call.scope, param(call, 'id'))),
  },
];

const needsMail = '503 where the service sends no mail.';
const limits = 'Attempts are limited as logins are: 429 with `Retry-After`.';

export const accountEmailRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/auth/password/forgotten',
    name: 'askForNewPassword',
    credential: 'none',
    tag: 'Session',
    summary: 'Have a link to a new password sent',
    description: `The answer is the same, and takes as long, whether the address has an account or not. The link works for one hour, once, and until the password is changed otherwise. ${limits} ${needsMail}`,
    request: { schema: forgottenPasswordSchema },
    answers: { 202: { description: 'A link is sent if the address has an account' } },
    handle: async (call: Call) => {
      await askForNewPassword(call.context, call, readForgottenPassword(call.body));
      return { status: 202 };
    },
  },
  {
    method: 'post',
    path: '/auth/password/reset',
    name: 'resetPassword',
    credential: 'none',
    tag: 'Session',
    summary: 'Set a new password by the link of a mail',
    description: [
      `Ends all sessions of the account at once. A link that was used or is too old is 422 for the field \`token\`. ${limits}`,
      '',
      'While the address was never confirmed, a stranger may have made the account: then its API keys, test keys, webhooks, membership and marketplace connection are taken back in the same step, and named in `revoked`. Otherwise they go on, and are named in `active`: `POST /auth/access/revoke` takes them back. The email about the reset says the same.',
    ].join('\n'),
    request: { schema: passwordResetSchema },
    answers: { 200: { description: 'Set', schema: linkOutcomeSchema } },
    handle: async (call: Call) => {
      const body = await setForgottenPassword(call.context, call, readPasswordReset(call.body));
      return { status: 200, body, headers: noStore };
    },
  },
  {
    method: 'post',
    path: '/auth/access/revoke',
    name: 'revokeAccess',
    credential: 'none',
    tag: 'Session',
    summary: 'Take back all that acts for the account',
    description: `Revokes its API keys and test keys, removes its webhooks, ends its membership of a reseller and its marketplace connection, and ends all sessions. By the \`revocationToken\` of a confirmed address or of a reset, or the link of a reset's email: its holder reads the mail of the account. The password stays: where a stranger knows it, choose another one by \`POST /auth/password/forgotten\`. A token that was used, is older than a day, or was made before a change of the password is 422 for the field \`token\`. ${limits}`,
    request: { schema: accessRevocationSchema },
    answers: { 200: { description: 'Taken back', schema: revokedAccessSchema } },
    handle: async (call: Call) => {
      const body = await revokeByToken(call.context, call, readAccessRevocation(call.body));
      return { status: 200, body, headers: noStore };
    },
  },
  {
    method: 'post',
    path: '/auth/email',
    name: 'changeEmail',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Change the email address',
    description: `Sends a link to the new address. The account keeps its address until the link is opened, within a day; then the former one is told. The answer is the same when another account has the address. A wrong \`password\` is 422. ${limits} ${needsMail}`,
    request: { schema: emailChangeSchema },
    answers: { 202: { description: 'A link is sent to the new address' } },
    handle: async (call: ScopedCall) => {
      await askForNewEmail(call.context, call.scope, { ...readEmailChange(call.body), caller: call });
      return { status: 202 };
    },
  },
  {
    method: 'post',
    path: '/auth/email/verification',
    name: 'sendEmailConfirmation',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Have the link that confirms the email address sent again',
    description: `The first one is sent when the account is made. Notifications are sent to a confirmed address only. ${needsMail}`,
    answers: { 202: { description: 'A link is sent to the address of the account' } },
    refusals: ['CONFLICT'],
    handle: async ({ context, scope }: ScopedCall) => {
      await askForConfirmation(context, scope);
      return { status: 202 };
    },
  },
  {
    method: 'post',
    path: '/auth/email/confirm',
    name: 'confirmEmail',
    credential: 'none',
    tag: 'Session',
    summary: 'Confirm an email address by the link of a mail',
    description: `The address is the account's from then on. What acts for the account goes on, and is named: who did not make it takes it back by \`POST /auth/access/revoke\`. A link that was used or is too old is 422 for the field \`token\`; 409 when the address has got an account of its own meanwhile. ${limits}`,
    request: { schema: emailConfirmationSchema },
    answers: { 200: { description: 'Confirmed', schema: linkOutcomeSchema } },
    refusals: ['CONFLICT'],
    handle: async (call: Call) => {
      const body = await confirmEmail(call.context, call, readEmailConfirmation(call.body));
      return { status: 200, body, headers: noStore };
    },
  },
  {
    method: 'get',
    path: '/auth/notices',
    name: 'getNotices',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Read which emails the account gets',
    description:
      'Without a choice: for a webhook that was switched off and for an expired connection to the marketplace, none for sales, and no summary of the week. A failed renewal of the Pro plan is always told. Each occurrence is told once, to a confirmed address only.',
    answers: { 200: { description: 'The choice', schema: noticesSchema } },
    handle: async ({ context, scope }: ScopedCall) => ok(readNotices(context, scope)),
  },
  {
    method: 'put',
    path: '/auth/notices',
    name: 'chooseNotices',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Choose which emails the account gets',
    description: `The language is that of all emails of the account. ${needsMail}`,
    request: { schema: noticesWishSchema },
    answers: { 200: { description: 'The choice', schema: noticesSchema } },
    handle: async ({ context, scope, body }: ScopedCall) => ok(chooseNotices(context, scope, readNoticesWish(body))),
  },
];
