// Everybody on a machine can read the arguments of its processes: no example puts a secret there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ARGUMENT =
  /(?:-e|--env)[ =]\w*(?:DATA|TOKEN|PASSWORD|SECRET)=\S|--(?:token|password)[ =]\S|--from-literal=\S*(?:token|password)\S*=\S/i;

/** Examples are indented, or between fences. */
function secretArguments(text: string): string[] {
  let isFenced = false;
  return text.split('\n').filter((line) => {
    if (line.startsWith('```')) isFenced = !isFenced;
    return (isFenced || line.startsWith('    ')) && ARGUMENT.test(line);
  });
}

const DOCUMENTS = ['.', 'docs', 'examples/reference', 'test/stack'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

test.each(DOCUMENTS)('no example of %s has a secret as an argument', (document) => {
  expect(secretArguments(readFileSync(document, 'utf8'))).toEqual([]);
});

test.each([
  '    docker run -e KUBECONFIG_DATA="$(base64 -w0 kubeconfig)" executor deploy',
  '```\nkubectl create secret generic x --from-literal=git-token=abc\n```',
  '    argocd login --password abc',
])('planted: %s', (text) => {
  expect(secretArguments(text)).toHaveLength(1);
});

test('a file, or a variable of the caller, is none', () => {
  const fine = '    docker run -e KUBECONFIG_DATA -e KUBECONFIG_PATH=/secrets/kubeconfig executor';
  expect(secretArguments(fine)).toEqual([]);
});
