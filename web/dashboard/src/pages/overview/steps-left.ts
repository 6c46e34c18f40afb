/** What an account has done on its way to its first auction. */
export interface Progress {
  readonly hasKey: boolean;
  readonly hasItems: boolean;
  readonly isConnected: boolean;
  readonly hasWebhook: boolean;
}

export type StepName = 'key' | 'push' | 'connect' | 'webhook';

export interface Step {
  readonly name: StepName;
  readonly isDone: boolean;
  /** The next step to take. */
  readonly isNext: boolean;
}

/** All steps in their order. An account with items has had a key, even if it was revoked since. */
export function stepsOf({ hasKey, hasItems, isConnected, hasWebhook }: Progress): readonly Step[] {
  const done: readonly (readonly [StepName, boolean])[] = [
    ['key', hasKey || hasItems],
    ['push', hasItems],
    ['connect', isConnected],
    ['webhook', hasWebhook],
  ];
  const next = done.find(([, isDone]) => !isDone)?.[0];
  return done.map(([name, isDone]) => ({ name, isDone, isNext: name === next }));
}

/** Whether an account still needs the steps: one that sells without a webhook has decided against it. */
export const needsSteps = (progress: Progress, hasSold: boolean): boolean =>
  stepsOf(progress).some(({ name, isDone }) => !isDone && !(name === 'webhook' && hasSold));
