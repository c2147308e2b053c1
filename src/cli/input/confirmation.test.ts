// What confirms a teardown, and that nothing else does.
import { expect, test } from 'vitest';
import { FakeStore } from '../../../test/fakes/cluster.ts';
import { foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import { planOf } from '../../../test/fakes/run-world.ts';
import { keepApproval } from '../../engines/teardown/stored-inventory.ts';
import { TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { StoredText } from '../../ports/record-store.ts';
import { renderInventory } from '../../view/inventory-text.ts';
import { renderLines } from '../../view/lines.ts';
import type { Io } from '../io.ts';
import {
  type Confirmation,
  type ConfirmOptions,
  confirmed,
  parseConfirmation,
} from './confirmation.ts';

const PLAN = planOf('alpha:', 'beta: alpha');
const NOW = inventoryOf();
const EMPTY = inventoryOf({ applications: [], gone: ['app:a', 'app:b'] });
const HASH = { hash: NOW.hash, inventory: undefined };

/** Somebody who types these, one after the other; nobody, once there are no more. */
class Terminal {
  readonly asked: string[] = [];
  readonly #answers: string[];
  shown = '';
  constructor(answers: readonly string[] = []) {
    this.#answers = [...answers];
  }

  readonly io = {
    ask: async (question: string) => {
      this.asked.push(question);
      return this.#answers.shift();
    },
    terminal: () => undefined,
    environment: () => undefined,
    stderr: (text: string) => {
      this.shown += text;
    },
  } as Partial<Io> as Io;
}

async function storing(approved?: Inventory) {
  const store = new FakeStore(() => 0);
  const keepText = (text: StoredText) => store.api.put(text, () => true);
  if (approved) await keepApproval({ keepText }, approved);
  return store.api;
}

interface Asked {
  readonly said?: Partial<Confirmation>;
  readonly answers?: readonly string[];
  readonly now?: Inventory;
  readonly stored?: Inventory;
}

/** What is approved or why not, what was asked, and whether the inventory was shown. */
async function end({ said, answers, now = NOW, stored }: Asked) {
  const terminal = new Terminal(answers);
  const all = { names: [], unsafe: [], expected: undefined, ...said };
  const approved = await confirmed(terminal.io, now, all, await storing(stored)).catch(problem);
  const asked = terminal.asked.map((question) => /"(.*)"/.exec(question)?.[1]);
  const shown = renderInventory(now, { all: false }) + renderLines(['']);
  return { approved, asked, isShown: terminal.shown === shown };
}

const problem = (error: unknown) => {
  const [first] = error instanceof TiphysError ? error.diagnostics : [];
  return `${first?.code}: ${first?.message} ${first?.hint}`;
};
const notConfirmed = (name: string) =>
  `teardown-unconfirmed: The teardown was not confirmed. Nothing was deleted. Type "${name}", without the quotation marks.`;
const nobody = (name: string, hint: string) =>
  `teardown-unconfirmed: "${name}" must be confirmed, and there is no terminal to ask for confirmation. ${hint}`;
const APPROVE = `To approve the inventory above, run: tiphys teardown --confirm shop --expect ${NOW.hash}`;
const NOT_APPROVED = `teardown-unconfirmed: The option --expect is missing, and there is no terminal to ask for confirmation. ${APPROVE}`;

test.each<[string, Asked, Inventory | string | undefined, readonly string[]]>([
  ['the name typed', { answers: ['shop'] }, NOW, ['shop']],
  ['nobody there', {}, NOT_APPROVED, ['shop']],
  ['--confirm alone', { said: { names: ['shop'] } }, NOT_APPROVED, ['shop']],
  [
    '--confirm, and the name typed',
    { said: { names: ['shop'] }, answers: ['shop'] },
    NOW,
    ['shop'],
  ],
  [
    'finalizers of an application, both typed',
    { said: { unsafe: ['a'] }, answers: ['shop', 'a'] },
    NOW,
    ['shop', 'a'],
  ],
  [
    'finalizers of an application, the platform typed twice',
    { said: { unsafe: ['a'] }, answers: ['shop', 'shop'] },
    notConfirmed('a'),
    ['shop', 'a'],
  ],
  [
    'finalizers of two, one of them by --confirm',
    { said: { unsafe: ['a', 'b'], names: ['a'] }, answers: ['shop'] },
    nobody('b', APPROVE),
    ['shop', 'b'],
  ],
])(
  'without --expect the inventory is shown and asked about: %s',
  async (_, asked, approved, names) => {
    expect(await end(asked)).toEqual({ approved, asked: names, isShown: true });
  },
);

test.each(['', 'y', 'yes', 'Shop', ' shop', 'shop ', 'a', NOW.hash])(
  'typed %j, nothing is approved',
  async (answer) => {
    const refused = { approved: notConfirmed('shop'), asked: ['shop'], isShown: true };
    expect(await end({ answers: [answer] })).toEqual(refused);
  },
);

test.each<[string, Asked, Inventory | string, readonly string[]]>([
  ['and --confirm', { said: { names: ['shop'] } }, NOW, []],
  ['and the name typed', { answers: ['shop'] }, NOW, ['shop']],
  ['and nobody there', {}, nobody('shop', 'Add --confirm shop.'), ['shop']],
  ['and something else typed', { answers: ['yes'] }, notConfirmed('shop'), ['shop']],
  [
    'and only the application confirmed',
    { said: { names: ['a'], unsafe: ['a'] } },
    nobody('shop', 'Add --confirm shop.'),
    ['shop'],
  ],
  [
    'and only the platform confirmed',
    { said: { names: ['shop'], unsafe: ['a'] } },
    nobody('a', 'Add --confirm a.'),
    ['a'],
  ],
  ['and both confirmed', { said: { names: ['shop', 'a'], unsafe: ['a'] } }, NOW, []],
])('with --expect %s', async (_, { said, ...asked }, approved, names) => {
  const expected = { expected: HASH, ...said };
  expect(await end({ ...asked, said: expected })).toEqual({
    approved,
    asked: names,
    isShown: false,
  });
});

test('what differs from what was approved is not asked about', async () => {
  const expected = { hash: EMPTY.hash, inventory: undefined };
  const { approved, asked } = await end({ said: { names: ['shop'], expected }, answers: ['shop'] });
  expect([approved, asked]).toEqual([expect.stringContaining('teardown-differs'), []]);
});

test('what is refused is shown, and not asked about', async () => {
  const refusal = { code: 'volume-deleted', node: null, message: 'no', hint: 'h' } as const;
  const now = inventoryOf({ refusals: [refusal] });
  expect(await end({ now, answers: ['shop'] })).toEqual({
    ...{ approved: 'teardown-refused: no h', asked: [], isShown: true },
  });
});

test.each<[string, Asked, Inventory | undefined]>([
  ['there is nothing to do', {}, undefined],
  ['an approval of something else is kept', { said: { expected: HASH }, stored: EMPTY }, undefined],
  [
    'its approval is kept: it goes on',
    { said: { expected: HASH, names: ['shop'] }, stored: NOW },
    NOW,
  ],
])('where no Application is left, %s', async (_, asked, approved) => {
  expect(await end({ ...asked, now: EMPTY })).toEqual({ approved, asked: [], isShown: false });
});

function parsed(options: ConfirmOptions, environment?: string, file = '') {
  const io: Partial<Io> = {
    environment: (name) => (name === 'TIPHYS_CONFIRM' ? environment : undefined),
    readFile: () => new TextEncoder().encode(file),
  };
  return parseConfirmation(io as Io, PLAN, options).catch(problem);
}

test.each<[string, ConfirmOptions, string | undefined, Partial<Confirmation>]>([
  ['nothing', {}, undefined, { names: [], unsafe: [], expected: undefined }],
  ['an empty variable', {}, '', { names: [] }],
  ['the variable', {}, 'shop', { names: ['shop'] }],
  ['the option, before the variable', { confirm: ['shop'] }, 'other', { names: ['shop'] }],
  [
    'applications that are named twice',
    { confirm: ['beta', 'shop'], unsafeRemoveFinalizers: ['beta'] },
    undefined,
    { names: ['beta', 'shop'], unsafe: ['beta'] },
  ],
])('said by %s', async (_, options, environment, said) => {
  expect(await parsed(options, environment)).toMatchObject(said);
});

const wrongName = (name: string) =>
  `teardown-unconfirmed: The platform is called "shop", but "${name}" was confirmed. To tear down this platform, use --confirm shop.`;
const noApplication = (name: string, hint: string) =>
  `usage-invalid: The teardown has no application "${name}" to remove finalizers from. ${hint}`;

test.each<[string, ConfirmOptions, string | undefined, string]>([
  ['another platform', { confirm: ['shop2'] }, undefined, wrongName('shop2')],
  ['another platform beside it', { confirm: ['shop', 'shop2'] }, undefined, wrongName('shop2')],
  ['another platform by the variable', {}, 'shop2', wrongName('shop2')],
  ['no name', { confirm: [''] }, undefined, wrongName('')],
  ['an application that keeps its finalizers', { confirm: ['beta'] }, undefined, wrongName('beta')],
  [
    'finalizers of a slip',
    { unsafeRemoveFinalizers: ['beta', 'alpah'] },
    undefined,
    noApplication('alpah', 'Did you mean "alpha"?'),
  ],
  [
    'finalizers of a stranger',
    { unsafeRemoveFinalizers: ['elsewhere'] },
    undefined,
    noApplication('elsewhere', 'Use the name of an Application in the scope.'),
  ],
])('refused is %s', async (_, options, environment, why) => {
  expect(await parsed(options, environment)).toBe(why);
});

const DIGITS = 'sha256:'.length;
const incomplete = (hash: string) =>
  `usage-invalid: "${hash}" is not a complete hash. Copy the whole hash of the inventory that \`tiphys plan teardown --inventory\` prints.`;

test('what was approved is a whole hash, or the file that has it', async () => {
  const { hash } = NOW;
  expect(await parsed({ expect: hash })).toMatchObject({ expected: HASH });
  const upper = `sha256:${'A'.repeat(64)}`;
  for (const part of [hash.slice(0, -1), `${hash}0`, hash.slice(0, DIGITS + 1), upper])
    expect(await parsed({ expect: part })).toBe(incomplete(part));
  const file = JSON.stringify(NOW);
  expect(await parsed({ expect: 'inventory.json' }, undefined, file)).toMatchObject({
    expected: { hash, inventory: NOW },
  });
  // A file may be called as it likes.
  expect(await parsed({ expect: `x${hash}` }, undefined, file)).toMatchObject({
    expected: { inventory: NOW },
  });
});

test('a file that was changed approves nothing', async () => {
  const changed = JSON.stringify({ ...NOW, applications: [foundApplication('a')] });
  for (const text of [changed, '', '{}'])
    expect(await parsed({ expect: 'inventory.json' }, undefined, text)).toContain(
      'inventory-invalid: The file is not an inventory, or it was changed.',
    );
});

test('the cluster, the context and the user stand between the inventory and the question', async () => {
  const where = {
    ...{ context: 'kind', server: 'https://10.0.0.1', user: 'jane', environment: 'staging' },
    ...{ clusterName: 'blue', recordedName: 'blue' },
  };
  const terminal = new Terminal(['shop']);
  const all = { names: [], unsafe: [], expected: undefined, where };
  await confirmed(terminal.io, NOW, all, await storing());
  expect(terminal.shown.split('\n').slice(-5)).toEqual([
    '',
    'Cluster:   "blue" (https://10.0.0.1), context "kind", user "jane"',
    'Platform:  shop, environment "staging"',
    '',
    '',
  ]);
});
