// A command as a user calls it: its line, what it prints to which stream, and its exit status.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const MAIN = resolve('dist/main.js');
/** Nothing of the machine that the tests run on. */
const ENVIRONMENT = { PATH: process.env.PATH, HOME: '/home/jane' };

type Variables = Readonly<Record<string, string>>;

interface Given {
  readonly input?: string;
  readonly variables?: Variables | undefined;
}

/** `scratch` is a folder with another name in each run. */
export const transcripts =
  (scratch: string) =>
  (args: readonly string[], { input, variables }: Given = {}): string => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, ...args], {
      encoding: 'utf8',
      input,
      env: { ...ENVIRONMENT, ...variables },
    });
    const plain = (text: string) => text.replaceAll(scratch, 'SCRATCH');
    const set = Object.entries(variables ?? {}).map(([name, value]) => `${name}=${value} `);
    const line = plain(`$ ${set.join('')}tiphys ${args.join(' ')}`);
    return `${line}\n--- stdout\n${plain(stdout)}--- stderr\n${plain(stderr)}--- exit status ${status}\n`;
  };

/** Of the cases that are called with some. */
export const VARIABLES: Readonly<Record<string, Variables>> = {
  'config-view-set': {
    TIPHYS_CONTEXT: 'staging',
    TIPHYS_ARGOCD_SERVER: 'https://me:secret@argocd.example.com',
    HTTPS_PROXY: 'http://me:secret@proxy.example.com:3128',
  },
  'config-view-wrong-variables': { TIPHYS_ENGINE: 'argo', TIPHYS_QUIET: 'yes' },
  'plan-file-of-a-variable': { TIPHYS_FILE: 'test/goldens/fixtures/one.yaml' },
};
