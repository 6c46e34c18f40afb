import type { Binder } from '../bind.ts';
import { generateApiKey } from './generate-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';

export const bindApiKeys = ({ bind, bindCreating }: Binder) => ({
  generate: bindCreating(generateApiKey),
  list: bind(listApiKeys),
  revoke: bind(revokeApiKey),
});
