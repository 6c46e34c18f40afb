/** Signal without data: the stored row has changed, read it again. */
export const lookAgainSignalName = 'look-again';

/** Signal of an operator, without data: try again now what failed, was given up or waits. */
export const retrySignalName = 'retry';
