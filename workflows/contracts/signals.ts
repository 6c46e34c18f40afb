/** Signal without data: the stored row has changed, read it again. */
export const lookAgainSignalName = 'look-again';
