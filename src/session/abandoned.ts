// The run was told to quit. Nothing is known about the node except what its Application shows.

export class Abandoned extends Error {}
