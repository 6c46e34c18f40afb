import { useState } from 'preact/hooks';
import { RecentDeliveries } from './recent-deliveries.tsx';
import type { Target } from './target.ts';
import { TestSection } from './test-section.tsx';

/** Trying the target, and its log beside it, which is looked at more often once something was tried. */
export function TestAndLog({ target }: { readonly target: Target }) {
  const [testedAt, setTestedAt] = useState(0);
  return (
    <>
      <TestSection
        target={target}
        onSent={() => {
          setTestedAt(Date.now());
        }}
      />
      <RecentDeliveries target={target} testedAt={testedAt} />
    </>
  );
}
