// `npm run evidence -- specification`
import { writeEvidence } from '../support/write-evidence.ts';
import { specificationPage } from './specification-page.ts';

writeEvidence('specification-coverage.md', await specificationPage());
