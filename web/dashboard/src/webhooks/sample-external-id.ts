/** The item that test events are about: there is none by this name. */
export const sampleExternalId = 'itembridge-test';
