// How somebody says that a teardown is meant: by the platform's name, and by the inventory that was approved.
import { Option } from 'commander';
import type { Expected } from '../../engines/teardown/approved-inventory.ts';
import { TiphysError, usageError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { quote } from '../../model/names.ts';
import { suggestFrom } from '../../model/nearest.ts';
import type { Plan } from '../../plan/plan.ts';
import type { StoreReads } from '../../ports/record-store.ts';
import { renderLines } from '../../view/lines.ts';
import { repeatedOption } from '../command.ts';
import type { Io } from '../io.ts';
import { readSource } from './read-source.ts';

export interface ConfirmOptions {
  readonly confirm?: readonly string[];
  readonly expect?: string;
  readonly unsafeRemoveFinalizers?: readonly string[];
}

export const CONFIRMATION: readonly Option[] = [
  repeatedOption(
    '--confirm <name>',
    'confirm by name: the platform (default: $TIPHYS_CONFIRM), and each application whose finalizers will be removed; may be repeated',
  ),
  new Option(
    '--expect <inventory>',
    'what was approved: the hash of an inventory, or the file that `tiphys plan teardown --inventory -o json` printed',
  ),
  repeatedOption(
    '--unsafe-remove-finalizers <application>',
    'where objects of it hang, take their finalizers off: whatever these were to clean up stays behind for good; may be repeated',
  ),
];

/** What was said on the command line, checked as far as it can be without a cluster. */
export interface Confirmation {
  readonly names: readonly string[];
  readonly unsafe: readonly string[];
  readonly expected: Expected | undefined;
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

/** What is approved; undefined where there is nothing to do. Throws where it was not confirmed. */
export async function confirmed(
  io: Io,
  now: Inventory,
  { names, unsafe, expected }: Confirmation,
  store: StoreReads,
): Promise<Inventory | undefined> {
  const { approvedBy, isUnderWay, unrefused } = await import(
    '../../engines/teardown/approved-inventory.ts'
  );
  if (now.applications.length === 0 && !(await isUnderWay(expected, now, store))) return undefined;
  const unnamed = (wanted: readonly string[]) => wanted.filter((name) => !names.includes(name));
  if (expected) {
    const approved = await approvedBy(expected, now, store);
    await promptFor(io, unnamed([now.platform, ...unsafe]), (name) => `Add --confirm ${name}.`);
    return approved;
  }
  const { renderInventory } = await import('../../view/inventory-text.ts');
  io.stderr(renderInventory(now, { all: false }) + renderLines(['']));
  unrefused(now);
  const next = `tiphys teardown --confirm ${now.platform} --expect ${now.hash}`;
  await promptFor(io, [now.platform], () => APPROVE + next, NOT_APPROVED);
  await promptFor(io, unnamed(unsafe), () => APPROVE + next);
  return now;
}

const APPROVE = 'Approve what is shown above: ';
const NOT_APPROVED =
  'The option --expect is missing, and there is no terminal to ask at: nobody has approved this inventory.';

/** A name that is given must be right, whatever else is asked. */
function checkNames(plan: Plan, names: readonly string[], unsafe: readonly string[]): void {
  const { platform } = plan;
  const known = plan.nodes.flatMap(({ application }) => application ?? []);
  const unknown = unsafe.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = suggestFrom(known)(unknown);
    throw usageError(
      `The teardown has no application ${quote(unknown)} to remove finalizers from.`,
      near ? `Did you mean "${near}"?` : 'Name an Application of the scope.',
    );
  }
  const wrong = names.find((name) => name !== platform && !unsafe.includes(name));
  if (wrong === undefined) return;
  throw unconfirmed(
    `The platform is ${quote(platform)}, and ${quote(wrong)} was confirmed.`,
    `If you mean this platform: --confirm ${platform}`,
  );
}

/** Somebody must type each of these names. `hint` and `missing`: what to do, and what is said, where nobody is there. */
export async function promptFor(
  io: Io,
  names: readonly string[],
  hint: (name: string) => string,
  missing?: string,
): Promise<void> {
  for (const name of names) {
    const answer = await io.ask(`Type ${quote(name)} to confirm: `);
    if (answer === name) continue;
    if (answer !== undefined) throw unconfirmed('It was not confirmed.', 'Nothing was deleted.');
    const message = `${quote(name)} must be confirmed, and there is no terminal to ask at.`;
    throw unconfirmed(missing ?? message, hint(name));
  }
}

const HASH = /^sha256:[0-9a-f]{64}$/;

async function expectedOf(io: Io, given: string): Promise<Expected> {
  if (HASH.test(given)) return { hash: given, inventory: undefined };
  if (given.startsWith('sha256:')) {
    throw usageError(
      `${quote(given)} is not a complete hash.`,
      'Copy it as `tiphys plan` prints it.',
    );
  }
  const { text, file } = readSource(io, given, 'Name the file that `tiphys plan` printed.');
  const { parseInventory } = await import('../../inventory/parse-inventory.ts');
  const inventory = parseInventory(text);
  if (inventory) return { hash: inventory.hash, inventory };
  const message = 'It is no inventory, or was changed since it was printed.';
  const hint = 'tiphys plan teardown --inventory -o json > inventory.json';
  throw new TiphysError([{ code: 'inventory-invalid', message, hint, file }]);
}

function unconfirmed(message: string, hint: string): TiphysError {
  return new TiphysError([{ code: 'teardown-unconfirmed', message, hint }]);
}
