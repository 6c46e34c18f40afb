/** A workflow and its page in the Temporal UI; `url` is null without a configured UI. */
export interface WorkflowPage {
  readonly id: string;
  readonly url: string | null;
}

/**
 * `uiUrl` without a trailing slash, '' for none. A workflow with a known run links to its newest run. Other workflows link to the
 * list of their runs, because the UI reports an unknown workflow as an error.
 */
export const createWorkflowPages =
  ({ uiUrl, namespace }: { readonly uiUrl: string; readonly namespace: string }) =>
  (id: string, { hasRun }: { readonly hasRun: boolean }): WorkflowPage => {
    const workflows = listAddress(uiUrl, namespace);
    const runs = withQuery(`WorkflowId=${JSON.stringify(id)}`);
    return { id, url: uiUrl === '' ? null : `${workflows}${hasRun ? `/${encodeURIComponent(id)}` : runs}` };
  };

/** The address of the list of workflows that match a query. `uiUrl` without a trailing slash. */
export const createListPages =
  ({ uiUrl, namespace }: { readonly uiUrl: string; readonly namespace: string }) =>
  (query: string): string =>
    `${listAddress(uiUrl, namespace)}${withQuery(query)}`;

const listAddress = (uiUrl: string, namespace: string): string =>
  `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`;

const withQuery = (query: string): string => `?query=${encodeURIComponent(query)}`;
