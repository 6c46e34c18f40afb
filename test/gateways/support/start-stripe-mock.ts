import { startGoServer, type GoServer } from '../../support/go-server.ts';

/** Checks calls against the processor's own OpenAPI document; keeps no state. */
export const startStripeMock = (): Promise<GoServer> =>
  startGoServer({
    binary: process.env['TEST_STRIPE_MOCK_BIN'],
    problem: process.env['TEST_STRIPE_MOCK_PROBLEM'],
    args: (address) => ['-http-addr', address],
  });
