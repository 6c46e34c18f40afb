import type { Binder } from '../bind.ts';
import { readMarketplaceConnection } from './read-marketplace-connection.ts';
import { removeMarketplaceConnection } from './remove-marketplace-connection.ts';
import { setMarketplaceConnection } from './set-marketplace-connection.ts';

export const bindMarketplaceConnection = ({ bind }: Binder) => ({
  set: bind(setMarketplaceConnection),
  read: bind(readMarketplaceConnection),
  remove: bind(removeMarketplaceConnection),
});
