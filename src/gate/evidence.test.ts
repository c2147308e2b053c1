// What a gate opened on, and what it does not mind.
import { expect, test } from 'vitest';
import { gateInput, resource } from '../../test/fakes/application.ts';
import { traitsOf } from './conditions.ts';
import { judge } from './gate.ts';

test('it names what had no health, and what was ignored, in order', () => {
  const unwell = { status: 'Degraded', message: '' };
  const resources = [
    resource(),
    resource({ group: 'x.io', kind: 'X', health: undefined }),
    resource({ group: '', kind: 'ConfigMap', health: undefined }),
    resource({ group: 'x.io', kind: 'X', name: 'other', health: undefined }),
    resource({ name: 'z', health: unwell }),
    resource({ name: 'b', health: unwell }),
  ];
  expect(judge(gateInput({ resources }))).toMatchObject({
    open: true,
    evidence: {
      resources: 6,
      withoutHealth: ['ConfigMap', 'x.io/X'],
      ignored: ['apps/Deployment web/b', 'apps/Deployment web/z'],
    },
  });
});

test('what is as the Application is, is not ignored', () => {
  const suspended = { status: 'Suspended', message: '' };
  const settings = { ...gateInput().settings, allowSuspended: true };
  const part = {
    health: { ...suspended, lastTransition: 't1' },
    resources: [resource({ health: suspended }), resource()],
  };
  expect(judge(gateInput(part, { settings }))).toMatchObject({ evidence: { ignored: [] } });
});

test.each([
  ['a warning is no error', 'OrphanedResourceWarning', true],
  ['an error that nothing has overcome', 'SyncError', false],
])('%s', (_, type, open) => {
  const conditions = [{ type, message: 'it says so', since: 90 }];
  const part = { conditions, operationState: undefined };
  expect(judge(gateInput(part, { operation: undefined })).open).toBe(open);
});

test('each condition says how it can come to hold', () => {
  expect(traitsOf('healthy')).toMatchObject({ afterSynced: true, passing: 'change' });
  expect(traitsOf('same-object')).toMatchObject({ afterSynced: false, passing: 'never' });
  expect(traitsOf('compared-again')).toMatchObject({ passing: 'comparison', learnt: 'asked' });
  // What a node waits for beside its gate.
  expect(traitsOf('exists')).toMatchObject({ afterSynced: false, passing: 'change' });
});
