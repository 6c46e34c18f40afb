// `npm run evidence -- outbound`
import { writeEvidence } from '../support/write-evidence.ts';
import { outboundTable } from './outbound-table.ts';

writeEvidence('security-outbound.md', `# Addresses that are never connected to\n\n${outboundTable()}\n`);
