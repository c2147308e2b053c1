// The order of sync waves as stacks that wait for each other: what Argo CD does today, without any evidence.
import { compareText } from '../../model/names.ts';
import { containersOf } from '../../model/stack-tree.ts';
import type { Proposal, ProposedApplication, ProposedStack } from '../proposal.ts';
import { layOut } from './lay-out.ts';
import type { Layout } from './layout.ts';

/** Argo CD's own, for what has none. */
const DEFAULT_WAVE = 0;

/** What one Application creates, or the platform: waves order only that. */
interface Family {
  /** The stack of the parent; undefined: the platform. */
  readonly parent: ProposedStack | undefined;
  readonly members: ProposedApplication[];
  readonly stacks: ProposedStack[];
}

export function layOutByWaves(proposal: Proposal): Layout {
  const known = wavesIn(proposal);
  const waveOf = (name: string | undefined) => known.get(name ?? '') ?? DEFAULT_WAVE;
  const taken = new Set(proposal.stacks.map(({ name }) => name));
  const after = new Map<string, string>();
  const around = new Map<string, string>();
  const stacks = familiesOf(proposal).flatMap((family): ProposedStack[] => {
    const waves = groupsOf(family, waveOf);
    const { parent } = family;
    const names = [...waves.keys()].map((wave) => waveName(parent, wave, taken));
    const made = [...waves.values()].map((group, at): ProposedStack => {
      const name = names[at] ?? '';
      if (at > 0) after.set(name, names[at - 1] ?? '');
      for (const inside of group.stacks) around.set(inside.name, name);
      return { name, ...(parent && { parent: parent.name }), applications: group.members };
    });
    return parent ? [{ ...parent, applications: [] }, ...made] : made;
  });
  const placed = stacks.map((stack) => {
    const parent = around.get(stack.name) ?? stack.parent;
    return parent === undefined ? stack : { ...stack, parent };
  });
  return layOut({ ...proposal, stacks: placed, edges: [] }, after);
}

/** Names are foreign: an object would answer for `constructor`. */
const wavesIn = ({ waves }: Proposal): ReadonlyMap<string, number> =>
  new Map(Object.entries(waves));

/** One that no stack has. */
function waveName(parent: ProposedStack | undefined, wave: number, taken: Set<string>): string {
  const number = wave < 0 ? `minus-${-wave}` : String(wave);
  let name = parent ? `${parent.name}-wave-${number}` : `wave-${number}`;
  while (taken.has(name)) name = `${name}-again`;
  taken.add(name);
  return name;
}

/** Stacks without their own Application only group: their members belong to the parent around them. */
function familiesOf({ stacks }: Proposal): Family[] {
  const containers = containersOf(stacks);
  const families = new Map<string | undefined, Family>([
    [undefined, { parent: undefined, members: [], stacks: [] }],
  ]);
  for (const stack of stacks) {
    if (stack.application !== undefined)
      families.set(stack.name, { parent: stack, members: [], stacks: [] });
  }
  for (const stack of stacks) {
    const isParent = stack.application !== undefined;
    const outer = containers(stack).find(({ application }) => application !== undefined)?.name;
    if (isParent) families.get(outer)?.stacks.push(stack);
    families.get(isParent ? stack.name : outer)?.members.push(...stack.applications);
  }
  return [...families.values()];
}

interface Group {
  readonly members: ProposedApplication[];
  readonly stacks: ProposedStack[];
}

/** From the first wave to the last. */
function groupsOf(
  { members, stacks }: Family,
  waveOf: (name: string | undefined) => number,
): ReadonlyMap<number, Group> {
  const groups = new Map<number, Group>();
  const group = (wave: number): Group => {
    const found = groups.get(wave) ?? { members: [], stacks: [] };
    groups.set(wave, found);
    return found;
  };
  for (const member of [...members].sort((a, b) => compareText(a.name, b.name)))
    group(waveOf(member.name)).members.push(member);
  for (const stack of stacks) group(waveOf(stack.application)).stacks.push(stack);
  return new Map([...groups].sort(([a], [b]) => a - b));
}
