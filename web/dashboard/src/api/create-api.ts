import { createClient, createConfig } from '../../../../client/generated/client/index.ts';
import { ItembridgeApi } from '../../../../client/generated/sdk.gen.ts';
import { errorFromAnswer, ItembridgeUnreachable } from '../../../../client/itembridge-error.ts';

type Send = typeof fetch;

/** Every operation of the interface document; `send` adds what a call needs. Throws ItembridgeError, or ItembridgeUnreachable when no answer came. */
export function createApi(send: Send): ItembridgeApi {
  const client = createClient(createConfig({ baseUrl: location.origin, throwOnError: true, fetch: send }));
  client.interceptors.error.use((error, response: Response | undefined) => {
    if (response !== undefined) return errorFromAnswer(response, error);
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return new ItembridgeUnreachable('The service can’t be reached', { cause: error });
  });
  return new ItembridgeApi({ client });
}
