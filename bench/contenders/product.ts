import { setUpAccount } from '../../test/support/set-up-account.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { readStoredRows, untilDelivered } from '../support/observe-product.ts';
import { startProduct, type Product } from '../support/product.ts';
import type { BenchServers } from '../support/servers.ts';
import { disposeAll, type Contender } from './contender.ts';

export interface ProductContender extends Contender {
  readonly product: Product;
}

/** The product with one account for each address. Its maker makes the first attempts, the worker beside it the others. */
export async function startProductContender(servers: BenchServers, urls: readonly string[]): Promise<ProductContender> {
  const product = await startProduct(servers, { withWorker: true });
  const accounts: string[] = [];
  for (const webhookUrl of urls) accounts.push((await setUpAccount(product.foundation, { webhookUrl })).id);
  const maker = await ForkedProcess.start('product-maker', product.settings);
  return {
    product,
    accounts,
    maker,
    pids: { ...product.pids(), maker: maker.pid },
    untilRecorded: () => untilDelivered(servers, product),
    [Symbol.asyncDispose]: () => disposeAll(maker, product),
  };
}

/** Sends an event of the last account, whose receiver takes its time, and reads what is stored for it meanwhile and at its end. */
export async function sampleRows({ product, accounts, maker }: ProductContender): Promise<string> {
  const account = accounts.at(-1) ?? '';
  const rows = readStoredRows(product, account);
  await maker.ask('offer', { accounts: [account], count: 1, together: 1, atOnce: 1 });
  return rows;
}
