import { describe, expect, it } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { CHARTS_A_TO_J } from './charts/a-to-j.ts';
import { CHARTS_K_TO_O } from './charts/k-to-o.ts';
import type { KnownChart } from './charts/known-chart.ts';
import { CHARTS_P_TO_Z } from './charts/p-to-z.ts';
import { OLM_PACKAGES } from './olm-packages.ts';
import { MADE_BY_OBJECTS } from './runtime-catalogue.ts';

const GROUP = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const KIND = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\/[A-Z][A-Za-z0-9]+$/;
const entries = Object.entries(CATALOGUE);

function problemsOf([name, chart]: readonly [string, KnownChart]): string[] {
  const { defines = [], operates = [], uses = [], watches = [], switches = {} } = chart;
  const groups = [...defines, ...operates, ...watches].filter(
    (one) => !GROUP.test(one) && !KIND.test(one),
  );
  const kinds = [...uses, ...Object.values(switches)].filter((one) => !KIND.test(one));
  const own = uses.filter(
    (one) => defines.includes(one) || defines.includes(one.split('/')[0] ?? ''),
  );
  const unused = chart.unless && uses.length === 0 ? ['leaves out nothing'] : [];
  const empty = Object.keys(chart).length === 0 ? ['says nothing'] : [];
  return [...groups, ...kinds, ...own, ...unused, ...empty].map((problem) => `${name}: ${problem}`);
}

describe('what operators install when they run', () => {
  it.each(Object.entries({ OLM_PACKAGES, MADE_BY_OBJECTS }))(
    '%s is sorted and whole',
    (_, made) => {
      const names = Object.keys(made);
      expect(names).toEqual([...names].sort());
      const kinds = Object.values(made).flat();
      expect(kinds.filter((one) => !GROUP.test(one) && !KIND.test(one))).toEqual([]);
      expect(Object.values(made).every((one) => one.length > 0)).toBe(true);
    },
  );
});

describe('the catalogue of charts', () => {
  it('has the well-known ones, each once and in order', () => {
    const names = entries.map(([name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(140);
    expect(names).toEqual([...names].sort());
    const files = [CHARTS_A_TO_J, CHARTS_K_TO_O, CHARTS_P_TO_Z];
    expect(files.flatMap((file) => Object.keys(file))).toEqual(names);
  });

  it('has groups and kinds as Kubernetes writes them, and uses nothing that the chart brings along', () => {
    expect(entries.flatMap(problemsOf)).toEqual([]);
  });

  it('would not pass with a mistake in it', () => {
    const wrong: KnownChart = {
      defines: ['Lamp', 'light.example'],
      uses: ['light.example/Lamp', 'x.y'],
    };
    expect(problemsOf(['lamps', wrong])).toHaveLength(3);
    expect(problemsOf(['off', { defines: ['light.example'], unless: { on: false } }])).toHaveLength(
      1,
    );
    expect(problemsOf(['none', {}])).toEqual(['none: says nothing']);
  });
});
