// What the real stack showed of an Application in a moment in which Healthy was not the truth, and what a node held against
// it then. `test/stack/suites/gate-recordings-*.test.ts` make them; the gate's tests judge them without a stack.
import { type AwaitedOperation, CONDITIONS, type GateInput } from '../../src/gate/conditions.ts';
import type { Evidence } from '../../src/gate/evidence.ts';
import { judge } from '../../src/gate/gate.ts';
import { liveResources } from '../../src/targets/application/live.ts';
import { applicationView } from '../../src/targets/application/view.ts';

/** The answers of the API, without what nothing depends on. */
export interface Look {
  readonly application: unknown;
  /** Null where the gate does not come to ask for them. */
  readonly managedResources: unknown;
}

export interface Recording extends Look {
  /** The object that the node began with. */
  readonly uid: string;
  /** The operation that it waits for; null where it made none. */
  readonly operation: RecordedOperation | null;
  readonly laterThan: number;
  /** What it saw before the dwell; null at the first look. */
  readonly before: Look | null;
}

type RecordedOperation = Omit<AwaitedOperation, 'id'> & { readonly id: string | null };

export type ConditionName = (typeof CONDITIONS)[number]['name'];

const SETTINGS: GateInput['settings'] = {
  dwell: 10,
  degradedGrace: 60,
  allowSuspended: false,
  allowEmpty: false,
  ignoreOutOfSync: [],
};

/** `open`, or the condition that keeps it shut. One condition can be taken out, to see whether it is needed. */
export function judged(recording: Recording, without?: ConditionName): ConditionName | 'open' {
  const verdict = judge(
    inputOf(recording),
    CONDITIONS.filter(({ name }) => name !== without),
  );
  return verdict.open ? 'open' : (verdict.unmet.condition as ConditionName);
}

export function evidenceOf(recording: Recording): Evidence {
  const verdict = judge(inputOf(recording));
  if (!verdict.open) throw new Error(`it is shut: ${verdict.unmet.message}`);
  return verdict.evidence;
}

function inputOf(recording: Recording): GateInput {
  const { application, managedResources, uid, operation, laterThan, before } = recording;
  return {
    application: applicationView(application),
    live: managedResources === null ? [] : liveResources(managedResources),
    decision: undefined,
    probe: undefined,
    uid,
    settings: SETTINGS,
    operation: operation ? { ...operation, id: operation.id ?? undefined } : undefined,
    laterThan,
    before: before ? evidenceOf({ ...recording, ...before, before: null }) : undefined,
  };
}
