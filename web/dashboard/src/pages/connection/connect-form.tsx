import { useState } from 'preact/hooks';
import type { MarketplaceConnection } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { ErrorNote } from '../../ui/notice.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { connectionTexts } from './texts.ts';
import './connect-form.css';

interface ConnectFormProps {
  /** null: not connected yet. */
  readonly connection: MarketplaceConnection | null;
  readonly onConnected: () => void;
}

export function ConnectForm({ connection, onConnected }: ConnectFormProps) {
  const t = useTexts(connectionTexts);
  const [userId, setUserId] = useState(connection?.marketplaceUserId ?? '');
  const [token, setToken] = useState('');
  const connect = useAction(
    async () => api.connectMarketplace({ body: { marketplaceUserId: userId.trim(), token: token.trim() } }),
    { onDone: onConnected },
  );
  const word = wordOf(connection);
  return (
    <Section title={t[word]}>
      <Card>
        <Form onSubmit={connect.run}>
          <Consent />
          <TextField
            label={t.user}
            hint={connection === null ? t.userHint : `${t.userHint} ${t.otherUser}`}
            value={userId}
            lengthMax={100}
            problem={problemOf(connect.error, 'marketplaceUserId')}
            onInput={setUserId}
          />
          <TextField
            label={t.token}
            hint={t.tokenHint}
            type="password"
            autocomplete="off"
            value={token}
            lengthMax={4_096}
            problem={problemOf(connect.error, 'token')}
            onInput={setToken}
          />
          <ErrorNote error={connect.error} />
          <div class="row">
            <Button kind={word === 'replace' ? 'secondary' : 'primary'} isSubmit isPending={connect.isPending}>
              {t[word]}
            </Button>
          </div>
        </Form>
      </Card>
    </Section>
  );
}

function wordOf(connection: MarketplaceConnection | null): 'connect' | 'reconnect' | 'replace' {
  if (connection === null) return 'connect';
  return connection.state === 'expired' ? 'reconnect' : 'replace';
}

function Consent() {
  const t = useTexts(connectionTexts);
  return (
    <div class="consent">
      <h3>{t.consent}</h3>
      <ul>
        {t.consents.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
