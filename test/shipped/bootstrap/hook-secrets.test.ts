// The webhooks that start runs: each has a secret of its own, so that the one who signs pushes cannot authorize calls.
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { hooksOf } from '../../../src/bootstrap/event-sources.ts';

const ROLE = 'bootstrap/roles/argo_events';
const read = (path: string) => load(readFileSync(`${ROLE}/${path}`, 'utf8'));

interface Key {
  readonly name: string;
  readonly key: string;
}

interface Hooks {
  readonly github: { readonly push: { readonly webhookSecret: Key } };
  readonly webhook: { readonly call: { readonly authSecret: Key } };
}

test('the role makes each secret that a hook asks for, once, at random, and unseen', () => {
  const { spec } = hooksOf({ image: 'x', push: true, call: true }) as unknown as { spec: Hooks };
  const asked = [spec.github.push.webhookSecret, spec.webhook.call.authSecret];
  const { argo_events_secrets: made, argo_events_webhook: secret } = read('vars/main.yml') as {
    argo_events_secrets: string[];
    argo_events_webhook: { metadata: { name: string } };
  };
  expect(asked).toEqual(made.map((key) => ({ name: secret.metadata.name, key })));
  expect(new Set(made).size).toBe(2);
  const tasks = read('tasks/objects.yml') as { readonly name: string }[];
  // The lookup is in the variables of the looped task, which are evaluated for each key.
  expect(tasks.find(({ name }) => name === 'Make the secrets of the hooks')).toMatchObject({
    loop: '{{ argo_events_secrets }}',
    vars: {
      argo_events_chosen: expect.stringContaining("lookup('ansible.builtin.password', '/dev/null'"),
    },
    when: 'item not in argo_events_found.resources[0].data | default({})',
    no_log: true,
  });
});
