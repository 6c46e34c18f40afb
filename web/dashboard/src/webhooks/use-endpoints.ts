import type { Webhook } from '../../../../client/generated/types.gen.ts';
import { api } from '../api/api.ts';
import { useResource, type Resource } from '../api/use-resource.ts';

/** The account's endpoints, oldest first. There is no call for a single one. */
export const useEndpoints = (pollMs?: (webhooks: readonly Webhook[]) => number): Resource<Webhook[]> =>
  useResource(async (signal) => (await api.listWebhooks({ signal })).data.webhooks, {
    ...(pollMs !== undefined && { pollMs }),
  });

/** By what people know it: its label, else the host of its address. */
export const endpointName = ({ url, description }: Pick<Webhook, 'url' | 'description'>): string =>
  description.trim() === '' ? hostOf(url) : description.trim();

/** With its port; an address that can't be read stays as it is. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
