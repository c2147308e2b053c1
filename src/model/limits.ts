// Limits of the files. The check of each limit has its own message.

export const BYTES_MAX = 40_000_000;
/** Line ends, commas and colons together: parsing more of them takes minutes and gigabytes. */
export const MARKS_MAX = 6_000_000;
export const NESTING_MAX = 64;
export const APPLICATIONS_MAX = 100_000;
/** Clusters that a teardown reads and cleans up. */
export const DESTINATIONS_MAX = 200;
/** Accounts that can sync in an emergency. */
export const BREAK_GLASS_MAX = 100;
/** Levels of nested stacks. */
export const STACK_DEPTH_MAX = 64;
/** Labels of one selector. */
export const LABELS_MAX = 16;
/** The largest minimum that a generated member can require. */
export const AT_LEAST_MAX = 1_000;
export const DEPENDENCIES_MAX = 1_000;

/** Characters of a label selector on the command line. */
export const LABEL_SELECTOR_MAX = 4_096;
