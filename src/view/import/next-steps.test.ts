import { expect, test } from 'vitest';
import { proposalOf, proposedEdge } from '../../../test/fakes/import.ts';
import { EVERYTHING, reportOf } from '../../../test/fakes/import-report.ts';
import { layOut } from '../../import/layout/lay-out.ts';
import { nextSteps } from './next-steps.ts';
import { renderPlatformFile } from './render-platform-file.ts';

test('a suggestion, and how to decide on it', () => {
  expect(nextSteps(reportOf(EVERYTHING)).slice(0, 2)).toEqual([
    'to decide on a suggestion: remove "# " in front of it, or import into another file',
    "  with --accept 'web->cache' or --reject 'web->cache'",
  ]);
  const decided = reportOf(proposalOf([proposedEdge('a', 'b')]));
  expect(nextSteps(decided)[0]).toBe('next: read it and edit it, then');
});

test('commands name another file, here and in the file', () => {
  const proposal = proposalOf([proposedEdge('a', 'b')]);
  const report = { ...reportOf(proposal), file: 'new.yaml' };
  expect(nextSteps(report)).toContain('  tiphys deploy --dry-run -f new.yaml');
  const text = (file: string) =>
    renderPlatformFile(layOut(proposal), { from: 'x', order: 'evidence', file });
  expect(text('new.yaml')).toContain('#   tiphys plan -f new.yaml   see the order\n');
  expect(text('platform.yaml')).toContain('#   tiphys plan                see the order\n');
});
