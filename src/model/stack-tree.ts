// Nested stacks (`parent`).
import { STACK_DEPTH_MAX } from './limits.ts';
import { quote } from './names.ts';
import { suggestFrom } from './nearest.ts';
import type { PlatformFile } from './platform-file.ts';
import type { Problem } from './positions.ts';

/** The name and the path of a stack. */
interface Placed {
  readonly name: string;
  readonly parent?: string | undefined;
}

/** The stacks that contain a stack, nearest first. The list is limited to the maximum depth, so a cycle costs nothing. */
export function containersOf<S extends Placed>(stacks: readonly S[]): (stack: Placed) => S[] {
  const byName = new Map(stacks.map((stack) => [stack.name, stack]));
  return (stack) => {
    const found: S[] = [];
    for (let at = byName.get(stack.parent ?? ''); at; at = byName.get(at.parent ?? '')) {
      if (found.length > STACK_DEPTH_MAX) break;
      found.push(at);
    }
    return found;
  };
}

/** Whether a stack is another one or inside it, by name. */
export function insideOf(stacks: readonly Placed[]): (stack: string, outer: string) => boolean {
  const containers = containersOf(stacks);
  const nested = new Map(
    stacks.flatMap((stack) => (stack.parent === undefined ? [] : [[stack.name, stack]])),
  );
  return (stack, outer) => {
    if (stack === outer) return true;
    const inner = nested.get(stack);
    return inner !== undefined && containers(inner).some(({ name }) => name === outer);
  };
}

/** Parents that do not exist, that are the stack itself, or that form a cycle; and stacks that are nested too deeply. */
export function parentProblems({ spec: { stacks } }: PlatformFile): Problem[] {
  if (stacks.every(({ parent }) => parent === undefined)) return [];
  const names = new Set(stacks.map(({ name }) => name));
  const suggest = suggestFrom([...names]);
  const containers = containersOf(stacks);
  const circles = circlesOf(stacks);
  return stacks.flatMap((stack, s): Problem[] => {
    const { name, parent } = stack;
    const problem = (code: Problem['code'], message: string, hint: string): Problem[] => [
      { code, message, hint, path: ['spec', 'stacks', s, 'parent'] },
    ];
    if (parent === undefined) return [];
    if (parent === name) {
      const message = `Stack ${quote(name)} is its own parent.`;
      return problem(
        'reference-self',
        message,
        'Name the stack that contains it, or remove `parent`.',
      );
    }
    if (!names.has(parent)) {
      const near = suggest(parent);
      const hint = near ? `Did you mean "${near}"?` : 'Add it to the platform, or remove `parent`.';
      return problem('reference-unknown', `The platform has no stack ${quote(parent)}.`, hint);
    }
    const circle = circles.get(name);
    if (circle) {
      const message = `These stacks contain each other: ${circle.join(' -> ')}.`;
      return problem('graph-cycle', message, 'Remove one of their `parent` keys.');
    }
    if (containers(stack).length !== STACK_DEPTH_MAX) return [];
    const message = `Stack ${quote(name)} is nested in ${STACK_DEPTH_MAX} others; the maximum is ${STACK_DEPTH_MAX - 1}.`;
    return problem('value-range', message, 'Use fewer levels.');
  });
}

const SHOWN_MAX = 20;

/** Reported at the first stack of the cycle in the file, once per cycle. */
function circlesOf(stacks: readonly Placed[]): ReadonlyMap<string, readonly string[]> {
  const parents = new Map(stacks.map(({ name, parent }) => [name, parent]));
  const circles = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  for (const { name } of stacks) {
    const way = new Set<string>();
    let at: string | undefined = name;
    for (; at !== undefined && !seen.has(at); at = parents.get(at)) {
      seen.add(at);
      way.add(at);
    }
    if (at === undefined || !way.has(at)) continue;
    const round = [...way].slice([...way].indexOf(at));
    const among = new Set(round);
    const first = stacks.find((stack) => among.has(stack.name))?.name ?? at;
    const turned = [...round.slice(round.indexOf(first)), ...round.slice(0, round.indexOf(first))];
    const shown = turned.slice(0, SHOWN_MAX);
    const rest = turned.length > SHOWN_MAX ? ['...'] : [];
    circles.set(first, [...shown, ...rest, first]);
  }
  return circles;
}
