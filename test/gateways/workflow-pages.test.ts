import test from 'ava';
import { createWorkflowPages } from '../../gateways/orchestrator/workflow-pages.ts';

const pageOf = createWorkflowPages({ uiUrl: 'https://ui.example', namespace: 'a/b?c' });

test('the page of a workflow is below its namespace; odd characters in either can not lead elsewhere', (t) => {
  const page = pageOf('item:å/../x#y z', { hasRun: true });
  t.is(page.id, 'item:å/../x#y z');
  t.is(page.url, 'https://ui.example/namespaces/a%2Fb%3Fc/workflows/item%3A%C3%A5%2F..%2Fx%23y%20z');
});

test('the page of a workflow that perhaps never ran is the list of its runs, whatever its id contains', (t) => {
  const { url } = pageOf('item:1" OR WorkflowId != "', { hasRun: false });
  const { pathname, searchParams } = new URL(url ?? '');
  t.is(pathname, '/namespaces/a%2Fb%3Fc/workflows');
  t.is(searchParams.get('query'), 'WorkflowId="item:1\\" OR WorkflowId != \\""');
});

test('without a user interface a workflow has its id and no page', (t) => {
  const page = createWorkflowPages({ uiUrl: '', namespace: 'default' })('item:1', { hasRun: true });
  t.deepEqual(page, { id: 'item:1', url: null });
});
