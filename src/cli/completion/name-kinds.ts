// What a shell asks `tiphys __complete` for: names that no script can know.

/** No command of the table: nothing for people. */
export const COMPLETE = '__complete';

export type NameKind =
  | 'scope'
  | 'reference'
  | 'application'
  | 'approval'
  | 'context'
  | 'fault'
  | 'run';

const OF_OPTIONS: Readonly<Record<string, NameKind>> = {
  '--scope': 'scope',
  '--unsafe-remove-finalizers': 'application',
  '--context': 'context',
  '--fault': 'fault',
  '--run': 'run',
};

const OF_ARGUMENTS: Readonly<Record<string, NameKind>> = {
  'explain reference': 'reference',
  'approve name': 'approval',
  'runs run': 'run',
};

/** Of the value of an option; undefined: not a name. */
export const kindOfOption = (long: string | undefined): NameKind | undefined =>
  OF_OPTIONS[long ?? ''];

export const kindOfArgument = (command: string, argument: string): NameKind | undefined =>
  OF_ARGUMENTS[`${command} ${argument}`];
