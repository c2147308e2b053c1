// The inventory that was approved by its hash, stored in the cluster while its teardown is in progress. A resumed teardown
// finds less than was approved, and so another hash: this is the text of the approved hash.
import { TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { parseInventory } from '../../inventory/parse-inventory.ts';
import type { StoreReads } from '../../ports/record-store.ts';
import { LABEL } from '../../session/record/chunk.ts';
import { packed, unpacked } from '../../session/record/packed.ts';
import { refusal } from '../../session/refused-write.ts';
import type { Session } from '../../session/session.ts';

const APPROVAL = 'tiphys.dev/approval';
const FILE = 'inventory.json.gz';

const nameOf = (platform: string): string => `tiphys-teardown-${platform}`;
const labelsOf = (platform: string) =>
  new Map([
    [LABEL.platform, platform],
    [APPROVAL, 'teardown'],
  ]);

/** Undefined if there is none, or its content does not match. */
export async function storedApproval(
  store: StoreReads,
  platform: string,
): Promise<Inventory | undefined> {
  const found = (await store.list(labelsOf(platform))).find(
    ({ name }) => name === nameOf(platform),
  );
  const bytes = found?.data.get(FILE);
  return bytes && approvalIn(bytes);
}

/** Undefined if it is damaged, or does not match its hash. */
export function approvalIn(bytes: Uint8Array): Inventory | undefined {
  try {
    return parseInventory(unpacked(bytes));
  } catch {
    return undefined;
  }
}

export const packedApproval = (approved: Inventory): Uint8Array => packed(JSON.stringify(approved));

export async function keepApproval(
  session: Pick<Session, 'keepText'>,
  approved: Inventory,
): Promise<void> {
  const { platform } = approved;
  const name = nameOf(platform);
  const text = {
    name,
    labels: labelsOf(platform),
    annotations: new Map([['tiphys.dev/inventory', approved.hash]]),
    data: new Map([[FILE, packedApproval(approved)]]),
  };
  for (let attempt = 1; ; attempt++) {
    const result = await session.keepText(text);
    if (result.kind === 'done') return;
    if (result.kind === 'refused') throw refusal(result, 'cluster', `The ConfigMap "${name}"`);
    if (attempt >= ATTEMPTS) throw unanswered(name, result.message);
  }
}

const ATTEMPTS = 3;

function unanswered(name: string, why: string): TiphysError {
  const message = `It is unknown whether the ConfigMap "${name}" was written: ${why}.`;
  const hint = 'Nothing was deleted. Run the same command again.';
  return new TiphysError([{ code: 'cluster-unreachable', message, hint }]);
}

/** A failed removal is harmless: it names deleted objects. */
export async function forgetApproval(
  session: Pick<Session, 'identity' | 'forgetText'>,
): Promise<void> {
  await session.forgetText(nameOf(session.identity.platform));
}
