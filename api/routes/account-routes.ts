import { apiKeyListSchema, generatedApiKeySchema, newApiKeySchema } from '../../schemas/accounts/api-key.ts';
import { deleteApiKey, getApiKeys, postApiKey } from '../handlers/api-keys.ts';
import type { Route } from '../http/route.ts';
import { anyText } from './path-parameters.ts';

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
    handle: postApiKey,
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
    handle: getApiKeys,
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
    handle: deleteApiKey,
  },
];
