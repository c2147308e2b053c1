import { describe, expect, test } from 'vitest';
import { TiphysError } from '../../errors.ts';
import type { FollowOptions, Io } from '../io.ts';
import { commandOutput } from '../output/command-output.ts';
import { runAnsible } from './run-ansible.ts';

const REQUEST = {
  platform: 'shop',
  action: 'install',
  roles: ['argocd'],
  playbook: 'site.yml',
  variables: 'a: 1\n',
  connection: { kubeconfig: '/k', context: 'c' },
  check: false,
} as const;

const LINES = [
  '[WARNING]: something that Ansible says',
  '{"type": "role.started", "role": "argocd"}',
  '{"type": "phase.started", "role": "argocd", "phase": "apply"}',
  '{"type": "task.finished", "role": "argocd", "phase": "apply", "task": "Install", "status": "changed"}',
  '{"type": "role.finished", "role": "argocd", "status": "success", "version": "3", "chart": null, "revision": 1}',
];

/** An Ansible that says these lines and ends so. */
function world(lines: readonly string[], status: number | undefined) {
  const seen = { stdout: '', stderr: '', args: [] as readonly string[], environment: {} as object };
  const io = {
    stdout: (text: string) => {
      seen.stdout += text;
    },
    terminal: () => undefined,
    environment: () => undefined,
    stderr: (text: string) => {
      seen.stderr += text;
    },
    clock: { now: () => 0 },
    onSignal: () => () => {},
    shipped: (path: string) => `/shipped/${path}`,
    withFile: (_: string, text: string, work: (path: string) => Promise<unknown>) =>
      work(`/scratch/${text.length}`),
    follow: async (_: string, args: readonly string[], options: FollowOptions) => {
      Object.assign(seen, { args, environment: options.environment });
      for (const line of lines) options.heard(line);
      return status;
    },
  };
  return { io: io as unknown as Io, seen };
}

const printing = (io: Io, output: 'text' | 'json' = 'text') => ({
  io,
  output: commandOutput(io, { output }),
});

describe('running the roles', () => {
  test('as people see it', async () => {
    const { io, seen } = world(LINES, 0);
    expect(await runAnsible(printing(io), REQUEST)).toMatchObject({ exitStatus: 0, changed: 1 });
    expect(seen.stderr.split('\n')).toEqual([
      '00:00:00 argocd: apply',
      '00:00:00 argocd: apply: Install: changed',
      '00:00:00 argocd: success',
      '',
    ]);
    expect(seen.stdout).toContain('1 of 1 role installed, 1 change');
    expect(seen.args).toEqual(['/shipped/bootstrap/site.yml', '--extra-vars', '@/scratch/5']);
    expect(seen.environment).toMatchObject({
      ANSIBLE_STDOUT_CALLBACK: 'tiphys_progress',
      K8S_AUTH_KUBECONFIG: '/k',
      K8S_AUTH_CONTEXT: 'c',
    });
  });

  test.each([
    ['as text', { kubeconfigText: 'a kubeconfig' }, /^a kubeconfig$/],
    ['as the place of a pod', { inCluster: { host: '10.0.0.1', port: '443' } }, /10\.0\.0\.1/],
  ])(
    'a kubeconfig that was handed over %s is a file while Ansible runs',
    async (_, given, text) => {
      const { io, seen } = world(LINES, 0);
      const files = new Map<string, string>();
      const withFile = (
        name: string,
        content: string,
        work: (path: string) => Promise<unknown>,
      ) => {
        files.set(`/scratch/${name}`, content);
        return work(`/scratch/${name}`);
      };
      await runAnsible(printing({ ...io, ...given, withFile } as Io), REQUEST);
      expect(seen.environment).toMatchObject({ K8S_AUTH_KUBECONFIG: '/scratch/kubeconfig' });
      expect(files.get('/scratch/kubeconfig')).toMatch(text);
      expect(JSON.stringify([seen.args, seen.environment])).not.toMatch(text);
    },
  );

  test('as programs see it: each event, then the report', async () => {
    const { io, seen } = world(LINES, 0);
    await runAnsible(printing(io, 'json'), { ...REQUEST, check: true });
    const printed = seen.stdout.trim().split('\n');
    expect(printed.map((line) => JSON.parse(line)).map(({ type, kind }) => type ?? kind)).toEqual([
      ...['role.started', 'phase.started', 'task.finished', 'role.finished', 'Bootstrap'],
    ]);
    expect(seen.args.at(-1)).toBe('--check');
    expect(seen.stderr).toBe('');
  });

  test.each([
    ['there is no Ansible', [], undefined, 'tool-missing'],
    ['Ansible ends before its first role', ['[ERROR]: broken'], 4, 'ansible-failed'],
  ] as const)('%s', async (_, lines, status, code) => {
    const failed = runAnsible(printing(world(lines, status).io), REQUEST);
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TiphysError);
    expect((error as TiphysError).diagnostics[0]).toMatchObject({ code });
    if (lines[0]) expect((error as TiphysError).message).toContain(lines[0]);
  });
});
