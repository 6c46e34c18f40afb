import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects now what nothing refers to any more, of this process. */
export const collectGarbage = runInNewContext('gc') as () => void;
