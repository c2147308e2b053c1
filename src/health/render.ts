// Renders checks into entries of argocd-cm. One wrong key there stops Argo CD from reading any, so each one is validated first.
import { type Diagnostic, TiphysError } from '../errors.ts';
import { quote } from '../model/names.ts';
import { type Check, type Kind, kindName } from './health-check.ts';
import type { Lua } from './lua.ts';
import { scriptError } from './script-error.ts';

const GROUP = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const KIND = /^[A-Za-z][A-Za-z0-9]*$/;

export function healthKey({ group, kind }: Kind): string {
  return `resource.customizations.health.${group === '' ? kind : `${group}_${kind}`}`;
}

function openLibsKey(kind: Kind): string {
  return healthKey(kind).replace('.health.', '.useOpenLibs.');
}

/** By key, sorted. */
export async function entriesOf(
  checks: readonly Check[],
  lua: Lua,
): Promise<ReadonlyMap<string, string>> {
  const problems = (await Promise.all(checks.map((check) => problemsOf(check, lua)))).flat();
  if (problems.length > 0) throw new TiphysError(problems);
  const entries = checks.flatMap((check): [string, string][] => [
    [healthKey(check), check.script],
    ...(check.openLibs ? [[openLibsKey(check), 'true'] as [string, string]] : []),
  ]);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function problemsOf(check: Check, lua: Lua): Promise<Diagnostic[]> {
  const { group, kind, file, script } = check;
  const problem = (message: string, hint: string, line?: number): Diagnostic[] => [
    { code: 'health-check-invalid', message, hint, file, line },
  ];
  if (!(group === '' || GROUP.test(group)) || !KIND.test(kind)) {
    const message = `${quote(kindName(check))} cannot be a key of argocd-cm.`;
    return problem(message, 'Name the folders GROUP/KIND, without wildcards.');
  }
  const { error } = await lua({ script });
  if (error === undefined) return [];
  const { line, message } = scriptError(error);
  return problem(`The script does not compile: ${message}.`, 'Fix it here.', line);
}

/** What argocd-cm would become. */
export function configMapOf(entries: ReadonlyMap<string, string>, namespace: string): unknown {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'argocd-cm',
      namespace,
      labels: { 'app.kubernetes.io/name': 'argocd-cm', 'app.kubernetes.io/part-of': 'argocd' },
    },
    data: Object.fromEntries(entries),
  };
}

export interface EntryDifference {
  readonly key: string;
  /**
   * `other`: an entry of argocd-cm that is not one of these; it stays. `unused`: an entry that is not there, of a kind that the cluster
   * does not have.
   */
  readonly state: 'same' | 'missing' | 'different' | 'other' | 'unused';
  /** The first line that differs. */
  readonly line: number | null;
}

/** Compares the entries with the cluster. `custom`: its custom kinds; undefined: they cannot be read. */
export function differencesOf(
  entries: ReadonlyMap<string, string>,
  settings: ReadonlyMap<string, string>,
  custom?: readonly Kind[],
): EntryDifference[] {
  const served = custom && new Set(custom.flatMap((one) => [healthKey(one), openLibsKey(one)]));
  const wanted = [...entries].map(([key, text]): EntryDifference => {
    const found = settings.get(key);
    if (found === undefined) {
      const isUnused = served && isCustom(key) && !served.has(key);
      return { key, state: isUnused ? 'unused' : 'missing', line: null };
    }
    const line = firstDifference(text, found);
    return { key, state: line === null ? 'same' : 'different', line };
  });
  const others = [...settings.keys()]
    .filter((key) => key.startsWith('resource.customizations') && !entries.has(key))
    .map((key): EntryDifference => ({ key, state: 'other', line: null }));
  return [...wanted, ...others];
}

/** Groups of Kubernetes' own kinds have no dot, or end with its domain. */
const isCustom = (key: string): boolean => {
  const group =
    key.replace(/^resource\.customizations\.(?:health|useOpenLibs)\./, '').split('_')[0] ?? '';
  return group.includes('.') && !group.endsWith('.k8s.io');
};

/** Trailing whitespace does not count: YAML writers differ in it. */
function firstDifference(wanted: string, found: string): number | null {
  const [a, b] = [wanted, found].map((text) => text.trimEnd().split('\n'));
  const length = Math.max(a?.length ?? 0, b?.length ?? 0);
  for (let at = 0; at < length; at++) {
    if (a?.[at]?.trimEnd() !== b?.[at]?.trimEnd()) return at + 1;
  }
  return null;
}
