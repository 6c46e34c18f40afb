import { useState } from 'preact/hooks';
import type { Notices, NoticesWish } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { securityTexts } from './texts.ts';

/** The choice of mails that the account gets. */
export function NoticesSection() {
  const t = useTexts(securityTexts);
  const notices = useResource(async (signal) => (await api.getNotices({ signal })).data);
  return (
    <Section title={t.notices} lead={t.noticesLead}>
      <Card>
        <Loaded resource={notices}>{(data) => <NoticesForm notices={data} />}</Loaded>
      </Card>
    </Section>
  );
}

const kinds = ['webhookDisabled', 'tokenExpired', 'sale', 'weeklySummary'] as const;

function NoticesForm({ notices }: { readonly notices: Notices }) {
  const t = useTexts(securityTexts);
  const { isAvailable, ...chosen } = notices;
  const [draft, setDraft] = useState<NoticesWish>(chosen);
  const save = useAction(async () => api.chooseNotices({ body: draft }), { toast: t.noticesSaved });
  return (
    <Form onSubmit={save.run}>
      {!isAvailable && <p class="muted">{t.noticesUnavailable}</p>}
      {kinds.map((kind) => (
        <CheckField
          key={kind}
          label={t.noticeKinds[kind]}
          isChecked={draft[kind]}
          onChange={(isChecked) => {
            setDraft({ ...draft, [kind]: isChecked });
          }}
        />
      ))}
      <SelectField
        label={t.mailLanguage}
        value={draft.language}
        choices={[
          { value: 'sv', label: 'Svenska' },
          { value: 'en', label: 'English' },
        ]}
        onChange={(language) => {
          setDraft({ ...draft, language });
        }}
      />
      <ErrorNote error={save.error} />
      <div class="row">
        <Button kind="primary" isSubmit isPending={save.isPending}>
          {t.saveNotices}
        </Button>
      </div>
    </Form>
  );
}
