import { useState } from 'preact/hooks';
import type { PublicProfile } from '../../../../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api } from '../../api/api.ts';
import { reloadMe, useMe } from '../../api/me.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { resellerTexts } from './texts.ts';

interface ProfileFormProps {
  /** null: there is none yet. */
  readonly profile: PublicProfile | null;
  readonly onSaved: () => void;
}

/** The public page: its link to share, and what stands on it. */
export function ProfileForm({ profile, onSaved }: ProfileFormProps) {
  const t = useTexts(resellerTexts);
  return (
    <Card>
      {profile === null ? (
        <Notice tone="info" title={t.pageMissing}>
          <p>{t.pageMissingText}</p>
        </Notice>
      ) : (
        <div class="form">
          <CopyField label={t.joinLink} hint={t.joinLinkHint} value={linkOf(profile.slug)} />
          <p>
            <ExternalLink href={linkOf(profile.slug)}>{t.openPage}</ExternalLink>
          </p>
        </div>
      )}
      <Fields profile={profile} onSaved={onSaved} />
    </Card>
  );
}

const linkOf = (slug: string): string => `${location.origin}/p/${slug}`;

const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

function Fields({ profile, onSaved }: ProfileFormProps) {
  const t = useTexts(resellerTexts);
  const me = useMe();
  const [slug, setSlug] = useState(profile?.slug ?? '');
  const [givenName, setName] = useState(profile?.displayName);
  const [description, setDescription] = useState(profile?.description ?? '');
  const [isSlugBad, setSlugBad] = useState(false);
  const displayName = givenName ?? me?.name ?? '';
  const action = useAction(async () => api.updateMyProfile({ body: { slug, displayName, description } }), {
    toast: t.saved,
    onDone: () => {
      onSaved();
      reloadMe();
    },
  });
  const isTaken = action.error instanceof ItembridgeError && action.error.status === 409;
  const slugProblem = isSlugBad ? t.slugBad : isTaken ? t.slugTaken : problemOf(action.error, 'slug');
  const submit = (): void => {
    setSlugBad(!slugForm.test(slug));
    if (slugForm.test(slug)) action.run();
  };
  return (
    <Form onSubmit={submit}>
      <TextField label={t.slug} hint={t.slugHint} value={slug} onInput={setSlug} lengthMax={64} problem={slugProblem} />
      <TextField
        label={t.displayName}
        hint={t.displayNameHint}
        value={displayName}
        onInput={setName}
        lengthMax={255}
        problem={problemOf(action.error, 'displayName')}
      />
      <TextArea
        label={t.description}
        hint={t.descriptionHint}
        value={description}
        onInput={setDescription}
        lengthMax={2000}
        isOptional
        problem={problemOf(action.error, 'description')}
      />
      <ErrorNote error={isTaken ? undefined : action.error} />
      <div>
        <Button kind="primary" isSubmit isPending={action.isPending}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}
