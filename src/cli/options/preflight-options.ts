// Options of every command that starts with preflight.
import { Option } from 'commander';
import { repeatedOption } from '../command.ts';

export const CHARTS = new Option(
  '--charts <folder>',
  'folder with charts as NAME-VERSION.tgz (default: download them)',
);

export const SECRETS = new Option(
  '--secrets <folder>',
  'folder with credentials: git-token, git-ssh-key, registry.json, dns-credentials',
);

export const IMAGE_SOURCE = repeatedOption(
  '--image-source <host>',
  'registry to pull images from instead of the default ones; can be repeated',
);
