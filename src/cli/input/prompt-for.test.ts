import { expect, test } from 'vitest';
import type { Io } from '../io.ts';
import { promptFor } from './confirmation.ts';

const where = {
  ...{ context: 'kind', server: 'https://10.0.0.1', user: 'jane', environment: 'staging' },
  ...{ clusterName: 'blue', recordedName: 'blue' },
};

async function asked(given: typeof where | undefined): Promise<string[]> {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return 'shop';
  };
  await promptFor({ ask } as unknown as Io, ['shop'], { where: given, hint: () => '' });
  return questions;
}

test('the question of a teardown names the cluster and the environment', async () => {
  expect(await asked(where)).toEqual([
    'Type "shop" to confirm the teardown on cluster "blue" (https://10.0.0.1), environment "staging": ',
  ]);
  expect(await asked(undefined)).toEqual(['Type "shop" to confirm: ']);
});
