#!/usr/bin/env node
import { createPartnerProgram, runProgram } from '../cli/partner-program.ts';

// The itembridge command of the package @itembridge/client. It lacks the administration commands, which need the
// service's database.
await runProgram(createPartnerProgram());
