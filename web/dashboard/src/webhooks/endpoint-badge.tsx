import { defineTexts, useTexts } from '../i18n/define-texts.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
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
