import type { Webhook, WebhookSettings } from '../../../../client/generated/types.gen.ts';
import { api } from '../api/api.ts';
import { movingMs, restingMs } from '../api/use-polling.ts';
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

/**
 * The secret of the account-level URL in full. The service tells it to the first who ever reads the settings, mostly before there is
 * a URL: it is kept here, in this tab only, until the person has taken it.
 */
export const settingsSecret = createStore<string | undefined>(undefined);

/** A masked one has stars where the middle of it was. */
export const isWholeSecret = (secret: string): boolean => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret);

/** Reads the settings, and keeps the secret when it is told. */
export async function readWebhookSettings(signal: AbortSignal): Promise<WebhookSettings> {
  // Breaking off here could lose the only answer that has the secret: it is waited for although the page was left.
  const { data } = await api.getWebhookSettings();
  if (isWholeSecret(data.webhookSecret)) settingsSecret.set(data.webhookSecret);
  signal.throwIfAborted();
  return data;
}

/** So soon after an attempt the next one, or the next event, is likely. */
const livelyMs = 120_000;

/** How long the log is left alone (milliseconds), from its newest attempt. `now` in milliseconds since 1970. */
export function logPauseMs(attempts: readonly { readonly createdAt: string }[], now: number): number {
  const [newest] = attempts;
  return newest !== undefined && now - Date.parse(newest.createdAt) < livelyMs ? movingMs : restingMs / 3;
}
