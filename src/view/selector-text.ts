// What a look was limited to by a label selector.

export const selectorLines = (selector: string | undefined): string[] =>
  selector === undefined ? [] : [`Only Applications that match the selector ${selector}`];
