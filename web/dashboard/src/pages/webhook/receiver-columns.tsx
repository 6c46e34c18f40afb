import type { ComponentChildren } from 'preact';
import { classNames } from '../../ui/class-names.ts';
import './receiver-columns.css';

interface ReceiverColumnsProps {
  readonly facts: ComponentChildren;
  /** undefined while nothing can be sent. */
  readonly log: ComponentChildren;
  readonly settings: ComponentChildren;
}

/** The log of a receiver, and beside it what is known and set of it; one below the other where there is no room. */
export function ReceiverColumns({ facts, log, settings }: ReceiverColumnsProps) {
  return (
    <div class="receiver">
      <div class={classNames('receiver-parts', log !== undefined && 'receiver-columns')}>
        <div class="receiver-facts">{facts}</div>
        {log !== undefined && <div class="receiver-log">{log}</div>}
        <div class="receiver-settings">{settings}</div>
      </div>
    </div>
  );
}
