// Where a command acts, above what it tells.
import type { Where } from '../../report/where.ts';
import type { Output } from './output.ts';

export async function noteWhere(
  output: Output,
  platform: string,
  where: Where | undefined,
): Promise<void> {
  if (!where) return;
  const { whereLines } = await import('../../view/where-text.ts');
  for (const line of [...whereLines(platform, where), '']) output.note(line);
}
