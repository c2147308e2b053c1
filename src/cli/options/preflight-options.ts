// What phase 0 is told on the command line, by every command that begins with it.
import { Option } from 'commander';
import { repeatedOption } from '../command.ts';

export const CHARTS = new Option(
  '--charts <folder>',
  'charts as NAME-VERSION.tgz (default: they are fetched)',
);

export const SECRETS = new Option(
  '--secrets <folder>',
  'credentials: git-token, git-ssh-key, registry.json, dns-credentials',
);

export const IMAGE_SOURCE = repeatedOption(
  '--image-source <host>',
  'a registry that images come from, instead of the usual ones; may be repeated',
);
