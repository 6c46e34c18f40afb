import { outboundCategoryId } from '../../../core/domains/marketplace-categories.ts';
import { domainRows } from '../../../core/domains/domain-table.ts';
import { violationsOf } from '../v4-check.ts';
import { v4Operations, type Operation } from '../v4-operations.ts';
import { timeOf } from '../wire-kit.ts';
import type { WireSettings } from '../wire.ts';
import { compareDocument } from './compare-document.ts';
import { highestVersion, looks, type Looked, type LookName, type ProbeAnswer } from './look-for-probe.ts';
import { at, fieldOf, numbersOf, rowsOf } from './read-loosely.ts';
