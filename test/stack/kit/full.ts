/** For `test.runIf(full)`: tests that are too slow for every change. */
export const full = process.env.TIPHYS_STACK_FULL === '1';
