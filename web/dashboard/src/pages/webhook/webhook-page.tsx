import { useParam } from '../../routing/router.tsx';
import { AccountUrlPage } from './account-url-page.tsx';
import { EndpointPage } from './endpoint-page.tsx';

/** One place that gets events: an endpoint, or the account-level URL by the name `account`. */
export function WebhookPage() {
  const id = useParam('id');
  return id === 'account' ? <AccountUrlPage /> : <EndpointPage id={id} />;
}
