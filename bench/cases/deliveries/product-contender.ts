import type { Delivery } from '../../../store/deliveries/deliveries.ts';
import { setUpAccount } from '../../../test/support/set-up-account.ts';
import { ForkedProcess } from '../../support/forked-process.ts';
import { pidOf } from '../../support/pid-of.ts';
import { startProduct, type Product } from '../../support/product.ts';
import type { BenchServers } from '../../support/servers.ts';
import { untilNoWorkflow } from '../../support/until-idle.ts';
import type { Contender } from './contender.ts';

export interface ProductContender extends Contender {
  readonly product: Product;
}

/** The product with one account for each address. */
export async function startProductContender(
  servers: BenchServers,
  { urls, receiver }: { urls: readonly string[]; receiver: ForkedProcess<unknown> },
): Promise<ProductContender> {
  const product = await startProduct(servers, { withWorker: true });
  const { foundation, settings, taskQueue } = product;
  const accounts: string[] = [];
  for (const webhookUrl of urls) accounts.push((await setUpAccount(foundation, { webhookUrl })).id);
  const maker = await ForkedProcess.start('product-maker', settings);
  const deliveries = foundation.store.connection.collection<Delivery>('deliveries');
  return {
    ...{ product, accounts, maker, receiver },
    pids: {
      ...{ temporal: pidOf(servers.temporal), mongod: pidOf(servers.mongod) },
      ...{ worker: pidOf(product.worker), starter: maker.pid },
    },
    countOpen: () => deliveries.countDocuments({ state: 'pending' }),
    untilIdle: () => untilNoWorkflow(servers.temporalClient, `${taskQueue}.deliveries`),
    close: async () => {
      await maker.stop();
      await product.discard();
    },
  };
}
