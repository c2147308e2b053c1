// Tools, Python packages and collections: each with a state that must turn its row, and nothing else may turn.
import { expect, test } from 'vitest';
import { type Changes, look, missing, printed, turned } from '../../test/fakes/preflight-world.ts';

const failed = (stderr: string) => ({ kind: 'ended', status: 1, stdout: '', stderr }) as const;
const TOOLS: readonly (readonly [string, Changes, string])[] = [
  ['missing', { programs: { kubeseal: missing } }, 'tool:kubeseal: not on PATH'],
  [
    'too old',
    { programs: { kubectl: printed('Client Version: v1.27.9\n') } },
    'tool:kubectl: 1.27.9 is too old',
  ],
  ["Debian's yq", { programs: { yq: printed('yq 3.1.0\n') } }, 'tool:yq: 3.1.0 is too old'],
  [
    'Helm 4',
    { programs: { helm: printed('v4.0.1+g12\n') } },
    'tool:helm: 4.0.1: Helm 4 does not work with the module kubernetes.core.helm: use Helm 3',
  ],
  ['Helm before 3.12', { programs: { helm: printed('v3.9.4\n') } }, 'tool:helm: 3.9.4 is too old'],
  [
    'it fails',
    { programs: { jq: failed('jq: no libjq\nmore') } },
    'tool:jq: jq --version failed: jq: no libjq',
  ],
  [
    'it hangs',
    { programs: { jq: { kind: 'late' } } },
    'tool:jq: jq --version did not finish in time',
  ],
  [
    'no version',
    { programs: { jq: printed('hello\n') } },
    'tool:jq: jq --version printed no version: hello',
  ],
  [
    'old Ansible',
    { programs: { 'ansible-playbook': printed('ansible-playbook 2.9.6\n') } },
    'tool:ansible-playbook: 2.9.6 is too old',
  ],
  [
    'no ansible-playbook',
    { programs: { 'ansible-playbook': missing } },
    'tool:ansible-playbook: not on PATH',
  ],
  [
    'a package is missing',
    {
      programs: {
        '/opt/ansible/bin/python3': printed(
          '{"kubernetes": "37", "openshift": "1", "pyyaml": "6"}',
        ),
      },
    },
    'python:jsonpatch: not in /opt/ansible/bin/python3',
  ],
  [
    'a collection is missing',
    {
      programs: {
        'ansible-galaxy': printed(
          '{"/a": {"kubernetes.core": {"version": "4.0.0"}, "community.general": {"version": "4.0.0"}, "ansible.posix": {"version": "1.0.0"}}}',
        ),
      },
    },
    'collection:ansible.utils: not installed',
  ],
  [
    'the collection that is found first is too old',
    {
      programs: {
        'ansible-galaxy': printed(
          '{"/a": {"kubernetes.core": {"version": "3.9.9"}, "community.general": {"version": "4.0.0"}, "ansible.posix": {"version": "1.0.0"}, "ansible.utils": {"version": "5.0.0"}}, "/b": {"kubernetes.core": {"version": "6.0.0"}}}',
        ),
      },
    },
    'collection:kubernetes.core: 3.9.9 is too old',
  ],
];

test.each(TOOLS)('a tool: %s', async (_, changes, row) => {
  expect(await turned(changes)).toEqual({ exitStatus: 3, rows: [`failure ${row}`] });
});

test('a missing tool comes with the command that installs it', async () => {
  const names = ['ansible-playbook', 'kubectl', 'helm', 'kubeseal', 'jq', 'yq'];
  const { rows } = await look({
    programs: Object.fromEntries(names.map((name) => [name, missing])),
  });
  const wrong = rows.filter(({ verdict }) => verdict === 'failure');
  expect(wrong.map(({ id }) => id)).toEqual(names.map((name) => `tool:${name}`));
  for (const { remedy } of wrong) expect(remedy).toMatch(/^Install it: \w+ /);
});

test('without any Ansible, Python is the one on PATH', async () => {
  const programs = { 'ansible-playbook': missing, 'ansible-galaxy --version': missing };
  const { rows } = await turned({ programs });
  expect(rows).toContain('failure python:kubernetes: python3: not on PATH');
});

test('Ansible and its packages come as they are pinned', async () => {
  const { rows } = await look({
    programs: { 'ansible-playbook': missing, '/opt/ansible/bin/python3': printed('{}') },
  });
  const remedies = rows.filter(({ verdict }) => verdict === 'failure').map(({ remedy }) => remedy);
  const pinned = '-m pip install -r /app/bootstrap/requirements.txt';
  expect(new Set(remedies)).toEqual(
    new Set([`Install it: python3 ${pinned}`, `Install it: /opt/ansible/bin/python3 ${pinned}`]),
  );
});
