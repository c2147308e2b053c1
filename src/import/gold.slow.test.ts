// The bounds of what is proposed, on graphs that were made by hand and lie beside the repository.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGold } from '../../bench/import-gold.ts';
import { scoreOf } from '../../bench/import-score.ts';
import { proposalOf, proposedEdge } from '../../test/fakes/import.ts';
import { propose } from './propose.ts';

const folder = join(import.meta.dirname, '../../../shared/import/gold');
const gold = readGold(folder);

describe('graphs made by hand', () => {
  it('are there, where every change is checked', ({ skip }) => {
    if (gold === undefined && process.env.CI !== 'true')
      skip(`${folder} is not there: the edges were compared with nothing`);
    expect(gold, `${folder} is not there`).toBeDefined();
    expect(gold?.length).toBeGreaterThanOrEqual(2);
  });

  it.each(gold ?? [])('$name: written edges hold', (platform) => {
    const score = scoreOf(platform, propose(platform.material, { platform: platform.name }));
    expect(score.wrongHard).toEqual([]);
    expect(score.precision).toBeGreaterThanOrEqual(0.95);
    expect(score.recallOfHard).toBeGreaterThanOrEqual(0.95);
  });

  it.each(gold ?? [])('$name: a wrong edge and a missing one are seen', (platform) => {
    const wrong = proposedEdge('nobody', 'nothing');
    const score = scoreOf(platform, proposalOf([wrong]));
    expect(score.wrongHard).toHaveLength(1);
    expect([score.precision, score.recallOfHard]).toEqual([0, 0]);
    expect(score.missed).toHaveLength(platform.edges.length);
  });
});
