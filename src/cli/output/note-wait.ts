// What a command waits for before its run begins, and so before there are events.
import type { Output } from './output.ts';

export const noteWait =
  ({ note }: Pick<Output, 'note'>) =>
  (message: string): void =>
    note(`waiting: ${message}`);
