// What phase 0 is told on the command line, by every command that begins with it.
import { Option } from 'commander';

export const chartsOption = () =>
  new Option('--charts <folder>', 'charts as NAME-VERSION.tgz (default: they are fetched)');

export const secretsOption = () =>
  new Option(
    '--secrets <folder>',
    'credentials: git-token, git-ssh-key, registry.json, dns-credentials',
  );

export const imageSourceOption = () =>
  new Option(
    '--image-source <host>',
    'a registry that images come from, instead of the usual ones; may be repeated',
  ).argParser((value, previous: string[] | undefined) => [...(previous ?? []), value]);
