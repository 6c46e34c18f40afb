/** A workflow, and its page in the Temporal UI; `url` is null where no such UI is configured. */
export interface WorkflowPage {
  readonly id: string;
  readonly url: string | null;
}

/**
 * `uiUrl` without a slash at the end, '' for none. Of a workflow that is known to have a run the UI shows the newest; of others the page
 * is the list of its runs, as there may be none: the UI calls a workflow that never ran an error.
 */
export const createWorkflowPages =
  ({ uiUrl, namespace }: { readonly uiUrl: string; readonly namespace: string }) =>
  (id: string, { hasRun }: { readonly hasRun: boolean }): WorkflowPage => {
    const workflows = `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`;
    const runs = `?query=${encodeURIComponent(`WorkflowId=${JSON.stringify(id)}`)}`;
    return { id, url: uiUrl === '' ? null : `${workflows}${hasRun ? `/${encodeURIComponent(id)}` : runs}` };
  };
