// Worlds that are not as they should be: the case that is about it must find out, or it proves nothing.
import { expect, test } from 'vitest';
import type { Transport, TransportAnswer, TransportRequest } from '../../src/targets/transport.ts';
import { CASES } from './cases.ts';
import { Lab } from './lab.ts';
import { rehearsalWorld } from './rehearsal-world.ts';

interface Lie {
  /** How the title of the case begins. */
  readonly foundBy: string;
  readonly text?: (text: string) => string;
  readonly status?: (answer: TransportAnswer, request: TransportRequest) => number;
  readonly line?: (line: string) => string | undefined;
}

const replaced = (pattern: RegExp, by: string) => (text: string) => text.replace(pattern, by);

/** An operation that is over is still there. */
function stillRequested(text: string): string {
  const body = JSON.parse(text);
  const isOver = body.status?.operationState?.phase === 'Succeeded';
  return isOver ? JSON.stringify({ ...body, operation: {} }) : text;
}

const LIES: Readonly<Record<string, Lie>> = {
  'times have fractions of seconds': {
    foundBy: 'times are whole seconds',
    text: replaced(/("finishedAt":"[^"]*)Z"/g, '$1.500Z"'),
  },
  'an operation that has ended is still requested': {
    foundBy: 'an operation is requested, runs and ends',
    text: stillRequested,
  },
  'the initiator is not told': {
    foundBy: 'a sync request is answered with the Application',
    text: replaced(/"initiatedBy":\{[^}]*\}/g, '"initiatedBy":{}'),
  },
  'infos are forgotten': {
    foundBy: 'the client finds its own operation',
    text: replaced(/"info":\[[^\]]*\]/g, '"info":[]'),
  },
  'a refused request is accepted': {
    foundBy: 'a second request is refused while',
    status: ({ status }, { path }) => (status === 400 && path.endsWith('/sync') ? 200 : status),
  },
  'conflicts are hidden': {
    foundBy: 'an update with an old version is a conflict',
    status: ({ status }) => (status === 409 ? 200 : status),
  },
  'what is not there is forbidden': {
    foundBy: 'an Application of another project',
    status: ({ status }, { path }) => (status === 404 && path.includes('/proxy/') ? 403 : status),
  },
  'every window lets a sync through': {
    foundBy: 'the windows of an Application',
    text: replaced(/"canSync":false/g, '"canSync":true'),
  },
  'nothing has to be pruned': {
    foundBy: 'a child that was taken out',
    text: replaced(/"requiresPruning":true/g, '"requiresPruning":false'),
  },
  'what is Missing is Healthy': {
    foundBy: 'one missing object of two',
    text: replaced(/"status":"Missing"/g, '"status":"Healthy"'),
  },
  'what is Degraded is Progressing': {
    foundBy: 'a Job that failed is Degraded',
    text: replaced(/"status":"Degraded"/g, '"status":"Progressing"'),
  },
  'everything is reconciled at once': {
    foundBy: 'a refresh is answered after the comparison',
    text: replaced(/"reconciledAt":"[^"]*"/g, '"reconciledAt":"2030-01-01T00:00:00Z"'),
  },
  'every object has the same uid': {
    foundBy: 'an Application that is made again',
    text: replaced(/"uid":"[^"]*"/g, '"uid":"00000000-0000-4000-8000-000000000000"'),
  },
  'conditions are kept back': {
    foundBy: 'while Git does not answer a refresh',
    text: replaced(/"conditions":\[\{"type":"\w+Error"/g, '"others":[{"x":""'),
  },
  'nothing is ever being deleted': {
    foundBy: 'while an operation runs a deletion waits',
    text: replaced(/"deletionTimestamp":"[^"]*"/g, '"deletedAt":""'),
  },
  'hooks are resources': {
    foundBy: 'a hook among the resources',
    text: replaced(/"hook":true/g, '"hook":false'),
  },
  'a watch does not tell of deletions': {
    foundBy: 'the client’s watch sees an Application',
    line: (line) => (line.startsWith('{"type":"DELETED"') ? undefined : line),
  },
  'the branch is the revision': {
    foundBy: 'a commit is seen at the next refresh',
    text: replaced(/("revision":")[0-9a-f]{40}"/g, '$1main"'),
  },
  'the history is empty': {
    foundBy: 'the history has what succeeded',
    text: replaced(/"history":\[\{/g, '"past":[{'),
  },
  'nobody owns anything': {
    foundBy: 'an ApplicationSet owns',
    text: replaced(/"ownerReferences":/g, '"owners":'),
  },
};

function lying({ text, status, line }: Lie, way: Transport): Transport {
  return {
    send: async (request) => {
      const answer = await way.send(request);
      return {
        ...answer,
        status: status?.(answer, request) ?? answer.status,
        text: text?.(answer.text) ?? answer.text,
      };
    },
    stream: async (request) => {
      const stream = await way.stream(request);
      return line ? { ...stream, lines: changed(stream.lines, line) } : stream;
    },
  };
}

async function* changed(
  lines: AsyncIterable<string>,
  change: (line: string) => string | undefined,
): AsyncGenerator<string> {
  for await (const line of lines) {
    const now = change(line);
    if (now !== undefined) yield now;
  }
}

test.each(Object.entries(LIES))('a world in which %s is found out', async (_, lie) => {
  const finders = CASES.filter(({ title }) => title.startsWith(lie.foundBy));
  expect(finders).toHaveLength(1);
  const { world, until } = await rehearsalWorld(1, (way) => lying(lie, way));
  for (const { check } of finders) await expect(until(check(new Lab(world)))).rejects.toThrow();
});
