import { CopyButton } from './copy-field.tsx';
import './curl.css';

interface CurlProps {
  /** What the command does; said by screen readers. */
  readonly label: string;
  readonly command: string;
}

/** A command to try in a terminal. */
export function Curl({ label, command }: CurlProps) {
  return (
    <div class="curl">
      <pre tabIndex={0} role="region" aria-label={label}>
        {command}
      </pre>
      <CopyButton value={command} label={label} />
    </div>
  );
}
