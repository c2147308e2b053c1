import { expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import { parsePlatform } from './platform.ts';
import { isGoodStatus, parseQuestion, probeTarget, secondsOf } from './probe.ts';

const HEAD = 'apiVersion: tiphys.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\nspec:\n';

const platform = (...stacks: string[]) => {
  const text = `${HEAD}  stacks:\n${stacks.map((stack) => `    - ${stack}\n`).join('')}`;
  return parsePlatform({ file: 'p.yaml', text });
};

/** Of a platform with one application, whose gate has this probe. */
const probed = (probe: string, stack = '') =>
  platform(`{name: s, ${stack}applications: [{name: a, gate: {probe: ${probe}}}]}`);

function errorsOf(action: () => unknown): string[] {
  try {
    action();
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return error.diagnostics.map(({ code, message, hint }) => `${code}: ${message} | ${hint}`);
  }
  return [];
}

const probeOf = (probe: string) => probed(probe).stacks[0]?.applications[0]?.settings.gate.probe;

test('each kind, with the time that one try has', () => {
  expect(probeOf('{http: "http://a.b.svc:80/x?y=1", status: 204}')).toEqual({
    ...{ http: 'http://a.b.svc:80/x?y=1', status: 204, timeout: 10 },
  });
  expect(probeOf('{tcp: "db.data.svc:65535", timeout: 5m}')).toEqual({
    ...{ tcp: 'db.data.svc:65535', timeout: 300 },
  });
  expect(probeOf('{job: {image: "r.example/a:1", command: [a, "-b"]}}')).toEqual({
    ...{ job: { image: 'r.example/a:1', command: ['a', '-b'] }, timeout: 60 },
  });
});

test("a stack's probe is its own, and no member's", () => {
  const own = 'gate: {probe: {tcp: "a:1"}, dwell: 7s}';
  const [stack] = platform(`{name: s, application: x, ${own}, applications: [{name: a}]}`).stacks;
  const gates = [stack, ...(stack?.applications ?? [])].map((one) => one?.settings.gate);
  expect(gates.map((gate) => [gate?.probe?.tcp, gate?.dwell])).toEqual([
    ['a:1', 7],
    [undefined, 7],
  ]);
});

test.each([
  ['{http: "ftp://a"}', 'must look like http://HOST:PORT/PATH'],
  ['{http: "http://a b"}', 'must look like http://HOST:PORT/PATH'],
  ['{http: "http://a:0/"}', 'must look like http://HOST:PORT/PATH'],
  ['{http: "http://a/#x"}', 'must look like http://HOST:PORT/PATH'],
  ['{http: "http://a/?token=x"}', 'credential-in-file'],
  ['{http: "http://u:p@a/"}', 'credential-in-file'],
  ['{tcp: "a"}', 'must look like HOST:PORT'],
  ['{tcp: "a:0"}', 'must look like HOST:PORT'],
  ['{tcp: "a:70000"}', 'must look like HOST:PORT'],
  ['{tcp: "a:65536"}', 'must look like HOST:PORT'],
  ['{tcp: "a:1", timeout: 0s}', 'between 1s and 5m'],
  ['{tcp: "a:1", timeout: 6m}', 'between 1s and 5m'],
  ['{http: "http://a", status: 99}', 'status'],
  ['{job: {image: a, command: []}}', 'command'],
  ['{job: {image: "a b", command: [x]}}', 'must look like an image reference'],
  ['{}', 'probe-invalid: The probe has no target. | Add http, tcp or job.'],
  ['{timeout: 5s}', 'probe-invalid: The probe has no target.'],
  ['{tcp: "a:1", http: "http://a"}', 'probe-invalid: The probe has http and tcp. | Keep one'],
  ['{tcp: "a:1", status: 200}', 'probe-invalid: The probe has "status" without "http"'],
])('%s is refused', (probe, message) => {
  expect(errorsOf(() => probed(probe)).join('\n')).toContain(message);
});

test('what is wrong with a probe is told beside what is wrong elsewhere', () => {
  const errors = errorsOf(() => probed('{tcp: "a:1", job: 5}', 'nonsense: 1, '));
  expect(errors.map((error) => error.replace(/:.*/, '')).sort()).toEqual([
    ...['key-unknown', 'probe-invalid', 'value-type'],
  ]);
});

test('a stack without an Application has no gate, and neither classes nor the platform have a probe', () => {
  const own = 'gate: {probe: {tcp: "a:1"}}';
  expect(errorsOf(() => platform(`{name: s, ${own}, applications: []}`))).toEqual([
    'probe-without-application: Stack "s" has no Application, so it has no gate for a probe. | Give the stack `application`, or move the probe to its last application.',
  ]);
  for (const place of [own, `classes: {c: {${own}}}`]) {
    const text = `${HEAD}  ${place}\n  stacks: []\n`;
    expect(errorsOf(() => parsePlatform({ file: 'p.yaml', text })).join()).toContain('key-unknown');
  }
});

test.each([
  [199, undefined, false],
  [200, undefined, true],
  [399, undefined, true],
  [400, undefined, false],
  [503, 503, true],
  [200, 503, false],
])('status %i, where %s is wanted', (status, wanted, isGood) => {
  expect(isGoodStatus(status, wanted)).toBe(isGood);
});

test('what is asked, and for how long', () => {
  expect(probeTarget({ http: 'http://a' })).toBe('http://a');
  expect(probeTarget({ tcp: 'a:1' })).toBe('a:1');
  expect(probeTarget({ job: { image: 'i', command: ['c'] } })).toBe('i');
  expect(secondsOf({ tcp: 'a:1', timeout: 10 })).toBe(70);
});

test('a question that is none', () => {
  expect(parseQuestion('{"tcp": "a:1", "timeout": 3}')).toEqual({ tcp: 'a:1', timeout: 3 });
  for (const text of ['', '[]', '{"timeout": -1}', '{"timeout": 1, "more": 2}'])
    expect(parseQuestion(text)).toBeUndefined();
});
