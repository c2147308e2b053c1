// A condition's message, a tracking id or an object's name is anybody's text. Whatever it is, it stays in its own cell and line.
import { expect, test } from 'vitest';
import { renderEvent } from './event-text.ts';
import { renderExplanation } from './explain-text.ts';
import { renderInventory } from './inventory-text.ts';
import { renderRuns } from './runs-text.ts';
import { renderStatus } from './status-text.ts';
import { renderValidation } from './validation-text.ts';

const FORGED =
  '\u001b[1A\u001b[2K\u001b]52;c;aGk=\u0007\nvault  identity  healthy  1s ago\r\n\u009b2K';
const unmet = { condition: 'no-error', message: FORGED } as const;

function expectHarmless(text: string, lines: number): void {
  expect(text.split('\n')).toHaveLength(lines + 1);
  expect(text.replaceAll('\n', '')).toMatch(/^[ -~]*$/);
}

test('in a validation', () => {
  const node = { id: 'app:vault', stack: null, state: 'failed', age: 3, unmet };
  const validation = {
    ...{ nodes: [node], stacks: [], held: [], unexpected: [FORGED] },
    ...{ platform: 'shop', state: 'failed', exitStatus: 1 },
  };
  expectHarmless(renderValidation(validation as never), 5);
});

test('in colour, where the only commands are colours of ours', () => {
  const node = { id: `app:${FORGED}`, stack: FORGED, state: 'Failed', age: 3, unmet };
  const validation = {
    ...{ nodes: [node], stacks: [], held: [FORGED], unexpected: [FORGED], bypasses: [] },
    ...{ platform: FORGED, state: 'Failed', exitStatus: 1 },
  };
  const coloured = renderValidation(validation as never, { columns: 60, isColoured: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the colours.
  const plain = coloured.replace(/\u001b\[(?:0|1|2|31|32|33)m/g, '');
  expect(plain).not.toBe(coloured);
  // A continued line is indented: at the left edge, every line is one of ours.
  const ours = plain.split('\n').filter((line) => !line.startsWith('  '));
  expectHarmless(ours.join('\n').replaceAll('…', '.'), 6);
});

test('in an explanation', () => {
  const link = { node: 'app:vault', condition: 'no-error', message: FORGED, resource: FORGED };
  expectHarmless(renderExplanation({ node: 'app:vault', chain: [link] } as never), 2);
});

test('in an event', () => {
  const time = '2026-11-15T07:42:00.000Z';
  const event = { type: 'node.waiting', time, run: 'r', node: 'app:vault', unmet } as const;
  expectHarmless(`${renderEvent(event as never)}\n`, 1);
});

test('in who started a run', () => {
  const startedBy = { trigger: 'cli', user: FORGED, argocdAccount: FORGED } as const;
  const run = { run: 'r', plan: 'sha256:0', started: 'now', exitStatus: 0, startedBy };
  expectHarmless(renderRuns([run]), 2);
  const active = { run: 'r', holder: 'h', startedBy };
  const argocd = { version: 'v3.2.11', isTried: true, tokens: [] };
  const status = {
    platform: 'shop',
    argocd,
    active,
    held: [],
    nodes: [],
    lastRun: { ...run, run: 'r0' },
  };
  expectHarmless(renderStatus(status as never), 5);
  const started = { type: 'run.started', time: '2026-11-15T07:42:00.000Z', run: 'r', startedBy };
  expectHarmless(`${renderEvent(started as never)}\n`, 1);
});

test('in the inventory that is approved', () => {
  const resource = { group: '', kind: 'Secret', namespace: 'a', name: FORGED, why: FORGED };
  const application = {
    ...{
      id: 'app:vault',
      name: 'vault',
      uid: FORGED,
      destination: null,
      deleting: false,
      loadBalancers: [],
    },
    ...{ deletes: [], keeps: [resource], finalizers: [] },
  };
  const inventory = {
    ...{ platform: 'shop', volumes: 'delete', applications: [application], hash: 'sha256:0' },
    ...{ gone: [], makers: [], namespaces: [{ name: FORGED, why: null }], definitions: [] },
    ...{ snapshots: [], operations: [], refusals: [] },
    warnings: [{ code: 'x', message: FORGED, hint: FORGED }],
  };
  expectHarmless(renderInventory(inventory as never, { all: true }), 11);
});
