// The text of a file, with the name that messages use for it.

export interface Source {
  readonly file: string;
  readonly text: string;
}
