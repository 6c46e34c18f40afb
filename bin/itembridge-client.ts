#!/usr/bin/env node
import { createPartnerProgram, runProgram } from '../cli/partner-program.ts';

// The itembridge command of the package @itembridge/client: without the service, and so without its administration.
await runProgram(createPartnerProgram());
