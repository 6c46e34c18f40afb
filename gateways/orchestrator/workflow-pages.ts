/** A workflow, and its page in the Temporal UI; `url` is null where no such UI is configured. */
export interface WorkflowPage {
  readonly id: string;
  readonly url: string | null;
}

/** `uiUrl` without a slash at the end, '' for none. The UI leads from the id to its newest run. */
export const createWorkflowPages =
  ({ uiUrl, namespace }: { readonly uiUrl: string; readonly namespace: string }) =>
  (id: string): WorkflowPage => ({
    id,
    url:
      uiUrl === '' ? null : `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`,
  });
