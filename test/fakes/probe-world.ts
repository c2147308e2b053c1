// One node whose gate has a probe, and what is done for that probe.
import { GateProbe } from '../../src/node/gate-probe.ts';
import { NodeWorld, nodeOf } from './node-world.ts';
import type { ProbeEnd } from './probes.ts';

const PROBE = { tcp: 'a:1', timeout: 10 };
const withProbe = () => {
  const node = nodeOf();
  return { ...node, gate: { ...node.gate, probe: PROBE } };
};

export class ProbeWorld extends NodeWorld {
  constructor() {
    super({}, withProbe());
  }

  get probes() {
    return this.argocd.probes;
  }

  make(patience?: 'once'): GateProbe {
    const probe = GateProbe.of(this.context, patience);
    if (!probe) throw new Error('no probe');
    return probe;
  }

  /** Milliseconds that one step takes. */
  async step(probe: GateProbe, deadline = 300_000): Promise<number> {
    return (await this.timed(probe.proceed(this.view, deadline))).ms;
  }

  /** A try, with the pause before it. */
  async next(probe: GateProbe, deadline?: number): Promise<number> {
    const pause = await this.step(probe, deadline);
    await this.step(probe, deadline);
    return pause;
  }
}

export const end = (part: Partial<ProbeEnd>): ProbeEnd => ({
  isGood: true,
  message: 'fine',
  ...part,
});
