import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { movingMs, restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { navigate } from '../../routing/location.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { overviewTexts } from './texts.ts';

/** After that it is said that it takes longer, and looked at less often. */
const usualMs = 60_000;

/** After a payment. The address alone proves nothing: Pro is what the subscription says once the processor has told the service. */
export function ThankYou() {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const isLate = useIsLate(usualMs);
  const { data } = useResource(async (signal) => (await api.getSubscription({ signal })).data, {
    pollMs: ({ isPro }) => (isPro || isLate ? restingMs : movingMs),
  });
  if (data?.isPro === true) {
    const { expiresAt } = data;
    const close = (): void => {
      navigate('/dashboard', { isReplacement: true });
    };
    return (
      <Notice tone="ok" title={t.thanks} isNews actions={<Button onClick={close}>{t.dismiss}</Button>}>
        <p>{expiresAt === null ? t.thanksNoDate : t.thanksText(format.day(expiresAt))}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="wait" title={isLate ? t.waitingLong : t.waiting} isNews>
      <p>{isLate ? t.waitingLongText : t.waitingText}</p>
    </Notice>
  );
}

function useIsLate(afterMs: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLate(true);
    }, afterMs);
    return () => {
      clearTimeout(timer);
    };
  }, [afterMs]);
  return isLate;
}
