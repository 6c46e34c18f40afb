import type { KeyMode } from './rules/api-key.ts';
import type { SandboxBuyers, SandboxUsers } from '../../gateways/marketplace/port.ts';

/** How test keys work in this installation. */
export type Sandbox =
  /** Test keys are refused. */
  | { readonly kind: 'none' }
  /** The only marketplace is a simulated one, so every key is a test key and acts as the account itself. */
  | { readonly kind: 'whole'; readonly buyers: SandboxBuyers }
  /** Test keys act as a separate account of the partner, whose items go to the simulated marketplace. */
  | { readonly kind: 'apart'; readonly users: SandboxUsers; readonly buyers: SandboxBuyers };

/** The modes that a new key may have; the first is the default. */
export function keyModesOf({ kind }: Pick<Sandbox, 'kind'>): readonly [KeyMode, ...KeyMode[]] {
  if (kind === 'whole') return ['test'];
  return kind === 'apart' ? ['live', 'test'] : ['live'];
}
