// npm run bench:import [-- --gold DIR]: how good the proposed edges are, against graphs made by hand, and what they cost.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Material } from '../src/import/material.ts';
import { propose } from '../src/import/propose.ts';
import { generateMaterial, shuffled } from './import-generate.ts';
import { readGold } from './import-gold.ts';
import { type Counts, type Score, scoreOf } from './import-score.ts';
import { median } from './processes.ts';
import { type Budget, isOver, load, renderBudgets } from './report.ts';

const SEED = 7;
const RUNS = 5;
const asked = process.argv.indexOf('--gold');
const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const folder =
  asked === -1 ? join(repository, '../shared/import/gold') : (process.argv[asked + 1] ?? '');

const gold = readGold(folder);
if (!gold || gold.length === 0) {
  process.stderr.write(`There are no graphs made by hand in ${folder}: nothing can be compared.\n`);
  process.exit(1);
}

const scores = gold.map((platform) =>
  scoreOf(platform, propose(platform.material, { platform: 'p' })),
);
for (const score of scores) process.stdout.write(renderScore(score));
process.stdout.write(renderEvidence(scores));

const same = [...gold.map(({ material }) => material), generateMaterial(1_000, SEED)].every(isSame);
const thousand = timed(1_000, RUNS);
const memory = process.resourceUsage().maxRSS / 1024;
const tenThousand = timed(10_000, 1);

const atLeast = (what: string, value: number, limit: number): Budget => ({
  what: `${what} (as what is missing)`,
  value: 1 - value,
  limit: Number((1 - limit).toFixed(2)),
  unit: '',
});
const budgets: Budget[] = [
  ...scores.flatMap((score) => [
    atLeast(`${score.platform}: precision of written edges`, score.precision, 0.95),
    atLeast(`${score.platform}: recall of hard edges`, score.recallOfHard, 0.95),
    {
      what: `${score.platform}: wrong hard edges that its manifests do not show`,
      value: score.wrongHard.length,
      limit: 0,
      unit: '',
    },
  ]),
  { what: 'another order gives other bytes', value: same ? 0 : 1, limit: 0, unit: '' },
  { what: '1,000 applications, 10,000 objects: processor', value: thousand, limit: 5, unit: ' s' },
  { what: 'memory for them', value: memory, limit: 500, unit: ' MB' },
  { what: 'ten times as many, times as long', value: tenThousand / thousand, limit: 12, unit: '' },
];
process.stdout.write(`\n${renderBudgets(budgets)}${load()}`);
process.exitCode = budgets.some(isOver) ? 1 : 0;

function timed(count: number, runs: number): number {
  const material = generateMaterial(count, SEED);
  return median(
    Array.from({ length: runs }, () => {
      // Of the processor: the clock on the wall would measure what else this machine does.
      const begin = process.cpuUsage();
      propose(material, { platform: 'p' });
      const { user, system } = process.cpuUsage(begin);
      return (user + system) / 1e6;
    }),
  );
}

function isSame(material: Material): boolean {
  const text = (one: Material) => JSON.stringify(propose(one, { platform: 'p' }));
  return text(material) === text(shuffled(material, SEED));
}

function renderScore(score: Score): string {
  const { platform, written, suggested } = score;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `  ${title}\n${lines.map((line) => `    ${line}\n`).join('')}`;
  return [
    `${platform}\n`,
    `  written    ${counts(written)}, precision ${score.precision.toFixed(3)}\n`,
    `  suggested  ${counts(suggested)}\n`,
    `  recall of hard edges ${score.recallOfHard.toFixed(3)}, with suggested ones `,
    `${score.recallOfHardWithSuggested.toFixed(3)}; of all edges ${score.recall.toFixed(3)}\n`,
    list('wrong hard edges', score.wrongHard),
    list(
      'wrong by the graph, shown by its manifests (count as wrong in precision)',
      score.disputed,
    ),
    list('wrong', score.wrong),
    list('missed', score.missed),
    '\n',
  ].join('');
}

function counts({ predicted, true: good, eventual, wrong }: Counts): string {
  return `predicted ${predicted}, true ${good}, eventual ${eventual}, wrong ${wrong}`;
}

/** Written and suggested edges of all platforms by the evidence that they have; one edge may have several. */
function renderEvidence(all: readonly Score[]): string {
  const kinds = [...new Set(all.flatMap(({ byEvidence }) => [...byEvidence.keys()]))].sort();
  const lines = kinds.flatMap((kind) =>
    all.flatMap(({ platform, byEvidence }) => {
      const found = byEvidence.get(kind);
      return found ? [`${kind.padEnd(18)} ${platform.padEnd(28)} ${counts(found)}\n`] : [];
    }),
  );
  return `By evidence, written and suggested\n${lines.join('')}`;
}
