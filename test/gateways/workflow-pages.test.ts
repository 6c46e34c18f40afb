import test from 'ava';
import { createWorkflowPages } from '../../gateways/orchestrator/workflow-pages.ts';

test('the page of a workflow is below its namespace; odd characters in either can not lead elsewhere', (t) => {
  const page = createWorkflowPages({ uiUrl: 'https://ui.example', namespace: 'a/b?c' })('item:å/../x#y z');
  t.is(page.id, 'item:å/../x#y z');
  t.is(page.url, 'https://ui.example/namespaces/a%2Fb%3Fc/workflows/item%3A%C3%A5%2F..%2Fx%23y%20z');
});

test('without a user interface a workflow has its id and no page', (t) => {
  t.deepEqual(createWorkflowPages({ uiUrl: '', namespace: 'default' })('item:1'), { id: 'item:1', url: null });
});
