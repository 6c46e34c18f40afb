import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListOf } from '../../ui/list-of.tsx';
import { Page } from '../../ui/page.tsx';
import { isFiltered, noFilter, OrderFilters, useOrderFilter } from './order-filters.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { OrderTable } from './order-table.tsx';
import { SaleDialog } from './sale-dialog.tsx';
import { ordersTexts } from './texts.ts';

/** `?order=ID` opens one, `?sell=EXTERNAL_ID` the form for a sale of that item. */
export function OrdersPage() {
  const t = useTexts(ordersTexts);
  const [{ order, sell }, setQuery] = useQuery();
  const [isSelling, setSelling] = useState(false);
  const filter = useOrderFilter();
  const orders = usePages(
    async (cursor, signal) => {
      const query = { ...filter, ...(cursor !== undefined && { cursor }) };
      const { data } = await api.listOrders({ query, signal });
      return { rows: data.orders, nextCursor: data.nextCursor };
    },
    { idOf: ({ id }) => id, on: [filter], pollMs: () => restingMs, shows: [{ kind: 'orders' }] },
  );
  const startSelling = (): void => {
    setSelling(true);
  };
  const stopSelling = (): void => {
    setSelling(false);
    if (sell !== undefined) setQuery({ sell: undefined });
  };
  const clear = (): void => {
    setQuery(noFilter);
  };
  const empty = isFiltered(filter) ? (
    <Empty title={t.noneFound} actions={<Button onClick={clear}>{t.clear}</Button>} />
  ) : (
    <Empty title={t.none} actions={<Button onClick={startSelling}>{t.recordSale}</Button>}>
      <p>{t.noneText}</p>
    </Empty>
  );
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button kind="primary" onClick={startSelling}>
          {t.recordSale}
        </Button>
      }
    >
      <OrderFilters />
      <ListOf pages={orders} empty={empty}>
        {(rows) => <OrderTable rows={rows} />}
      </ListOf>
      {order !== undefined && (
        <OrderDialog
          key={order}
          id={order}
          onChange={orders.reload}
          onClose={() => {
            setQuery({ order: undefined });
          }}
        />
      )}
      {(isSelling || sell !== undefined) && (
        <SaleDialog externalId={sell ?? ''} onClose={stopSelling} onSold={orders.reload} />
      )}
    </Page>
  );
}
