// A file's text, with the name that messages give it.

export interface Source {
  readonly file: string;
  readonly text: string;
}
