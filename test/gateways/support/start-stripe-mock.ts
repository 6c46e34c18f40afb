import { startGoServer, type GoServer } from '../../support/go-server.ts';

/** Checks calls against the processor's own OpenAPI document; keeps no state. */
export const startStripeMock = (): Promise<GoServer> =>
  startGoServer({
    binary: process.env['TEST_STRIPE_MOCK_BIN'],
    problem: process.env['TEST_STRIPE_MOCK_PROBLEM'],
    // Without an address it would take a port that another run may have.
    args: (address) => ['-http-addr', address, '-https-addr', '127.0.0.1:0'],
  });
