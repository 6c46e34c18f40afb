export interface Barrier {
  /** Somebody stands before it. */
  readonly isReached: Promise<void>;
  /** Waits until it is open. */
  readonly stand: () => Promise<void>;
  readonly open: () => void;
}

export function aBarrier(): Barrier {
  let [reach, open] = [(): void => undefined, (): void => undefined];
  const isReached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const stand = (): Promise<void> => {
    reach();
    return isOpen;
  };
  return { isReached, stand, open };
}
