import type { Webhook, WebhookSettings } from '../../../../client/generated/types.gen.ts';
import { api } from '../api/api.ts';
import { useResource, type Resource } from '../api/use-resource.ts';
import { defineTexts, useTexts } from '../i18n/define-texts.ts';
import { createStore } from '../state/store.ts';
import { Badge, type Tone } from '../ui/icon.tsx';
import type { EndpointState } from './endpoint-state.ts';

const tones: Readonly<Record<EndpointState, Tone>> = {
  working: 'ok',
  failing: 'wait',
  warned: 'bad',
  paused: 'quiet',
  disabled: 'bad',
};

const texts = defineTexts<Readonly<Record<EndpointState, string>>>({
  sv: { working: 'Aktiv', failing: 'Svarar inte', warned: 'Stängs snart av', paused: 'Pausad', disabled: 'Avstängd' },
  en: { working: 'Active', failing: 'Not answering', warned: 'Off soon', paused: 'Paused', disabled: 'Disabled' },
});

export function EndpointBadge({ state }: { readonly state: EndpointState }) {
  const words = useTexts(texts);
  return <Badge tone={tones[state]}>{words[state]}</Badge>;
}

/** The account's endpoints, oldest first. A single endpoint has no call of its own here. */
export const useEndpoints = (pollMs?: number): Resource<Webhook[]> =>
  useResource(async (signal) => (await api.listWebhooks({ signal })).data.webhooks, {
    ...(pollMs !== undefined && { pollMs }),
  });

/** The name that people know: its label, else the host of its address. */
export const endpointName = ({ url, description }: Pick<Webhook, 'url' | 'description'>): string =>
  description.trim() === '' ? hostOf(url) : description.trim();

/** With its port; an unreadable address is returned unchanged. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/**
 * The whole secret of the account-level URL. The service shows it at the first read of the settings, usually before
 * there is a URL. It is kept in this tab alone until the person has saved it.
 */
export const settingsSecret = createStore<string | undefined>(undefined);

/** A masked secret has stars in its middle. */
export const isWholeSecret = (secret: string): boolean => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret);

/** Reads the settings, and keeps the secret if it is in the answer. */
export async function readWebhookSettings(signal: AbortSignal): Promise<WebhookSettings> {
  // The call is not aborted when the page is left, because that could lose the only answer with the secret.
  const { data } = await api.getWebhookSettings();
  if (isWholeSecret(data.webhookSecret)) settingsSecret.set(data.webhookSecret);
  signal.throwIfAborted();
  return data;
}
