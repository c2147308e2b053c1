// The run was told to leave. Nothing is known of the node but what its Application shows.

export class Abandoned extends Error {}
