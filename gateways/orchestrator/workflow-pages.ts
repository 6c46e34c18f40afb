/** A workflow, and its page in the Temporal UI; `url` is null where no such UI is configured. */
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
    const workflows = `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`;
    const runs = `?query=${encodeURIComponent(`WorkflowId=${JSON.stringify(id)}`)}`;
    return { id, url: uiUrl === '' ? null : `${workflows}${hasRun ? `/${encodeURIComponent(id)}` : runs}` };
  };
