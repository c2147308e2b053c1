// How much a file may hold. Each limit has a message of its own where it is checked.

export const BYTES_MAX = 40_000_000;
/** Line ends, commas and colons together: parsing more of them takes minutes and gigabytes. */
export const MARKS_MAX = 6_000_000;
export const NESTING_MAX = 64;
export const APPLICATIONS_MAX = 100_000;
/** Clusters that a teardown reads and cleans up. */
export const DESTINATIONS_MAX = 200;
/** Accounts that may sync in an emergency. */
export const BREAK_GLASS_MAX = 100;
/** Stacks inside of each other. */
export const STACK_DEPTH_MAX = 64;
/** Labels of one selector. */
export const LABELS_MAX = 16;
/** Applications that a generated member can ask for. */
export const AT_LEAST_MAX = 1_000;
export const DEPENDENCIES_MAX = 1_000;
