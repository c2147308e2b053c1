// How a user confirms a teardown: with the platform's name and the approved inventory.
import { Option } from 'commander';
import type { Expected } from '../../engines/teardown/approved-inventory.ts';
import { TiphysError, usageError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { quote } from '../../model/names.ts';
import { suggestFrom } from '../../model/nearest.ts';
import type { Plan } from '../../plan/plan.ts';
import type { StoreReads } from '../../ports/record-store.ts';
import type { Where } from '../../report/where.ts';
import { renderLines, renderParts } from '../../view/lines.ts';
import { renderWhere, whereInShort } from '../../view/where-text.ts';
import { repeatedOption } from '../command.ts';
import type { Io } from '../io.ts';
import { lookOn } from '../output/look-on.ts';
import { readSource } from './read-source.ts';

export interface ConfirmOptions {
  readonly confirm?: readonly string[];
  readonly expect?: string;
  readonly unsafeRemoveFinalizers?: readonly string[];
}

export const CONFIRMATION: readonly Option[] = [
  repeatedOption(
    '--confirm <name>',
    'confirm by typing the name of the platform (default: $TIPHYS_CONFIRM), and of each application whose finalizers are removed; can be repeated',
  ),
  new Option(
    '--expect <inventory>',
    'the approved inventory: its hash, or a file from `tiphys plan teardown --inventory -o json`',
  ),
  repeatedOption(
    '--unsafe-remove-finalizers <application>',
    'remove finalizers from stuck objects of this application; what the finalizers would have cleaned up remains; can be repeated',
  ),
];

/** The confirmation on the command line, checked as far as possible without a cluster. */
export interface Confirmation {
  readonly names: readonly string[];
  readonly unsafe: readonly string[];
  readonly expected: Expected | undefined;
  /** Named beside the question, and in it. */
  readonly where?: Where | undefined;
}

export async function parseConfirmation(
  io: Io,
  plan: Plan,
  options: ConfirmOptions,
): Promise<Confirmation> {
  const { unsafeRemoveFinalizers: unsafe = [], expect } = options;
  const names = options.confirm ?? [io.environment('TIPHYS_CONFIRM') ?? ''].filter(Boolean);
  checkNames(plan, names, unsafe);
  return {
    names,
    unsafe,
    expected: expect === undefined ? undefined : await expectedOf(io, expect),
  };
}

/** The approved inventory; undefined if there is nothing to do. Throws without confirmation. */
export async function confirmed(
  io: Io,
  now: Inventory,
  { names, unsafe, expected, where }: Confirmation,
  store: StoreReads,
): Promise<Inventory | undefined> {
  const { approvedBy, isUnderWay, unrefused } = await import(
    '../../engines/teardown/approved-inventory.ts'
  );
  if (now.applications.length === 0 && !(await isUnderWay(expected, now, store))) return undefined;
  const unnamed = (wanted: readonly string[]) => wanted.filter((name) => !names.includes(name));
  if (expected) {
    const approved = await approvedBy(expected, now, store);
    await promptFor(io, unnamed([now.platform, ...unsafe]), {
      where,
      hint: (name) => `Add --confirm ${name}.`,
    });
    return approved;
  }
  const { renderInventory } = await import('../../view/inventory-text.ts');
  const look = lookOn(io, 'stderr');
  // Where this acts stands beside the question: the inventory may be longer than the screen.
  const parts = [
    renderInventory(now, { all: false, look }),
    renderWhere(now.platform, where, look),
  ];
  io.stderr(renderParts(parts) + renderLines(['']));
  unrefused(now);
  const next = `tiphys teardown --confirm ${now.platform} --expect ${now.hash}`;
  const hint = () => APPROVE + next;
  await promptFor(io, [now.platform], { where, hint, missing: NOT_APPROVED });
  await promptFor(io, unnamed(unsafe), { where, hint });
  return now;
}

const APPROVE = 'To approve the inventory above, run: ';
const NOT_APPROVED =
  'The option --expect is missing, and there is no terminal to ask for confirmation.';

/** A wrong name is refused before anything else. */
function checkNames(plan: Plan, names: readonly string[], unsafe: readonly string[]): void {
  const { platform } = plan;
  const known = plan.nodes.flatMap(({ application }) => application ?? []);
  const unknown = unsafe.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = suggestFrom(known)(unknown);
    throw usageError(
      `The teardown has no application ${quote(unknown)} to remove finalizers from.`,
      near ? `Did you mean "${near}"?` : 'Use the name of an Application in the scope.',
    );
  }
  const wrong = names.find((name) => name !== platform && !unsafe.includes(name));
  if (wrong === undefined) return;
  throw unconfirmed(
    `The platform is called ${quote(platform)}, but ${quote(wrong)} was confirmed.`,
    `To tear down this platform, use --confirm ${platform}.`,
  );
}

interface Prompt {
  readonly where: Where | undefined;
  /** What to do without a terminal. */
  readonly hint: (name: string) => string;
  /** What is said there. */
  readonly missing?: string;
}

/** Asks the user to type each of these names. */
export async function promptFor(
  io: Io,
  names: readonly string[],
  { where, hint, missing }: Prompt,
): Promise<void> {
  const place = where ? ` the teardown on ${whereInShort(where)}` : '';
  for (const name of names) {
    const answer = await io.ask(`Type ${quote(name)} to confirm${place}: `);
    if (answer === name) continue;
    if (answer !== undefined)
      throw unconfirmed(
        'The teardown was not confirmed. Nothing was deleted.',
        `Type ${quote(name)}, without the quotation marks.`,
      );
    const message = `${quote(name)} must be confirmed, and there is no terminal to ask for confirmation.`;
    throw unconfirmed(missing ?? message, hint(name));
  }
}

const HASH = /^sha256:[0-9a-f]{64}$/;

async function expectedOf(io: Io, given: string): Promise<Expected> {
  if (HASH.test(given)) return { hash: given, inventory: undefined };
  if (given.startsWith('sha256:')) {
    throw usageError(
      `${quote(given)} is not a complete hash.`,
      'Copy the whole hash of the inventory that `tiphys plan teardown --inventory` prints.',
    );
  }
  const { text, file } = readSource(
    io,
    given,
    'Use a file from `tiphys plan teardown --inventory -o json`.',
  );
  const { parseInventory } = await import('../../inventory/parse-inventory.ts');
  const inventory = parseInventory(text);
  if (inventory) return { hash: inventory.hash, inventory };
  const message = 'The file is not an inventory, or it was changed.';
  const hint = 'Create one with `tiphys plan teardown --inventory -o json > inventory.json`.';
  throw new TiphysError([{ code: 'inventory-invalid', message, hint, file }]);
}

function unconfirmed(message: string, hint: string): TiphysError {
  return new TiphysError([{ code: 'teardown-unconfirmed', message, hint }]);
}
