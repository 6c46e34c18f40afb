import { apiKeyListSchema, generatedApiKeySchema, newApiKeySchema } from '../../schemas/accounts/api-key.ts';
import { accountSchema, loginSchema, registrationSchema, sessionSchema } from '../../schemas/accounts/sign-in.ts';
import { deleteApiKey } from '../api-keys/delete-api-key.ts';
import { getApiKeys } from '../api-keys/get-api-keys.ts';
import { postApiKey } from '../api-keys/post-api-key.ts';
import { getMe } from '../auth/get-me.ts';
import { postLogin } from '../auth/post-login.ts';
import { postRegister } from '../auth/post-register.ts';
import type { Route } from '../http/route.ts';

export const accountRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/auth/register',
    credential: 'none',
    tag: 'Session',
    summary: 'Make an account and open its first session',
    request: { schema: registrationSchema },
    answers: { 201: { description: 'The account and a session', schema: sessionSchema } },
    refusals: ['CONFLICT'],
    handle: postRegister,
  },
  {
    method: 'post',
    path: '/auth/login',
    credential: 'none',
    tag: 'Session',
    summary: 'Open a session',
    request: { schema: loginSchema },
    answers: { 200: { description: 'A session', schema: sessionSchema } },
    refusals: ['UNAUTHORIZED'],
    handle: postLogin,
  },
  {
    method: 'get',
    path: '/auth/me',
    credential: 'jwt',
    tag: 'Session',
    summary: 'Read the account of the session',
    answers: { 200: { description: 'The account', schema: accountSchema } },
    handle: getMe,
  },
  {
    method: 'post',
    path: '/integration/api-keys/generate',
    credential: 'jwt',
    idempotent: true,
    tag: 'API keys',
    summary: 'Generate an API key',
    request: { schema: newApiKeySchema, isOptional: true },
    answers: { 200: { description: 'The key, shown only here', schema: generatedApiKeySchema } },
    refusals: ['CONFLICT'],
    handle: postApiKey,
  },
  {
    method: 'get',
    path: '/integration/api-keys',
    credential: 'jwt',
    tag: 'API keys',
    summary: 'List the active API keys',
    answers: { 200: { description: 'Newest first', schema: apiKeyListSchema } },
    handle: getApiKeys,
  },
  {
    method: 'delete',
    path: '/integration/api-keys/{id}',
    credential: 'jwt',
    tag: 'API keys',
    summary: 'Revoke an API key, at once',
    params: { id: 'Id of the key' },
    answers: { 204: { description: 'Revoked' } },
    refusals: ['NOT_FOUND'],
    handle: deleteApiKey,
  },
];
