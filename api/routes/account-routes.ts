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
    request: { schema: newApiKeySchema, isOptional: true },
    answers: { 200: { description: 'The key, shown only here', schema: generatedApiKeySchema } },
    refusals: ['CONFLICT'],
    handle: postApiKey,
  },
  {
    method: 'get',
    path: '/integration/api-keys',
    name: 'listApiKeys',
    credential: 'jwt',
    tag: 'API keys',
    summary: 'List the active API keys',
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
    params: { id: anyText('Id of the key', 'f4a1c2d3-5b6e-4f70-8192-a3b4c5d6e7f8') },
    answers: { 204: { description: 'Revoked' } },
    refusals: ['NOT_FOUND'],
    handle: deleteApiKey,
  },
];
