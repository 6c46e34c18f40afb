import type { ComponentChildren } from 'preact';
import './facts.css';

interface Fact {
  readonly label: string;
  readonly value: ComponentChildren;
}

/** Names and values of one thing. What is undefined or null is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const given = facts.filter(({ value }) => value !== undefined && value !== null && value !== '');
  return (
    <dl class="facts">
      {given.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
