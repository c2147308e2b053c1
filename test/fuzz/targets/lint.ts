// Scripts and rights of Jobs, as lint reads them.
import { lintPlatform } from '../../../src/lint/lint.ts';
import { sarifOf } from '../../../src/lint/sarif.ts';
import { renderJson } from '../../../src/view/lines.ts';
import { renderLint, renderPatches } from '../../../src/view/lint-text.ts';
import { applicationMaterial, materialOf } from '../../fakes/material.ts';
import { sh } from '../../fakes/waiting-job.ts';
import { type FuzzTarget, fuzzTarget } from '../fuzz.ts';
import { changedText, changedValue } from '../hostile.ts';
import type { Told } from '../properties.ts';

const SCRIPTS = [
  'set -e\nuntil nc -z "$HOST" 5432; do echo "waiting for $(date)"; sleep 2; done # done\n',
  `timeout 300 bash -c 'while ! curl -fsS -o /dev/null http://a.b:80/x; do sleep 1; done' 2>&1 >/dev/null`,
  'kubectl -n data wait --for=condition=Ready pod -l app=db,tier=x || kubectl get crd/a.b.c\n',
  'check() { psql -c "select 1"; }\nfor i in `seq 1 3`; do check && exit 0; done\ncat <<EOF > /tmp/x\n$(a)\nEOF\n',
];
const RIGHTS = {
  kind: 'RoleBinding',
  metadata: { name: 'r', namespace: 'api' },
  roleRef: { kind: 'Role', name: 'r' },
  subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'api' }],
  rules: [{ verbs: ['get'], resources: ['pods'] }],
};

function linted(objects: readonly unknown[]): Told {
  const api = applicationMaterial('api', { objects: objects as never });
  const db = applicationMaterial('db', {
    objects: [{ kind: 'Service', metadata: { name: 'a', namespace: 'b' } }],
  });
  const report = lintPlatform({ material: materialOf(api, db), notes: [] });
  const sarif = sarifOf({ report, version: '1' });
  return {
    text: [renderLint(report), renderPatches(report)],
    json: [renderJson(report), renderJson(sarif)],
  };
}

export const LINT: readonly FuzzTarget[] = [
  fuzzTarget('scripts of Jobs', 1, changedText(SCRIPTS), (text) => linted([sh(text)])),
  fuzzTarget('objects of Jobs', 1, changedValue([sh(SCRIPTS[0] ?? ''), RIGHTS]), (object) =>
    linted([object, sh(SCRIPTS[2] ?? '', { serviceAccountName: 'default' }), RIGHTS]),
  ),
];
