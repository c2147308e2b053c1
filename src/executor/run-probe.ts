// The pod of a probe: asks one address once, and says in one line what came of it. Called by the Job of a probe, and by
// nothing else. It needs no cluster, no file and no right.
import type { Io } from '../cli/io.ts';
import { EXIT, withoutPasswords } from '../errors.ts';
import { isGoodStatus, type ProbeQuestion, parseQuestion } from '../model/probe.ts';
import type { Answer } from '../preflight/preflight-context.ts';
import { outside } from '../targets/http/outside.ts';
import { renderLines } from '../view/lines.ts';
import { conclude } from './termination-log.ts';

/** No credentials: what is asked is in the cluster. */
const NO_PROXIES = { http: undefined, https: undefined, no: undefined };

export async function runProbe(io: Io): Promise<number> {
  const question = parseQuestion(io.environment('PROBE') ?? '');
  const { isGood, message } = question
    ? await ask(question, io)
    : { isGood: false, message: 'PROBE is not set or not valid' };
  const line = withoutPasswords(message);
  io.stdout(renderLines([line]));
  conclude(io, line);
  return isGood ? EXIT.ok : EXIT.failure;
}

interface Asked {
  readonly isGood: boolean;
  readonly message: string;
}

async function ask({ http, status, tcp, timeout }: ProbeQuestion, io: Io): Promise<Asked> {
  const ended = new AbortController();
  const forget = io.onSignal(() => ended.abort());
  const way = outside(NO_PROXIES, io.clock, ended.signal, timeout * 1000);
  try {
    if (http !== undefined) return httpAnswer(await way.request(http), status);
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(tcp ?? '') ?? [];
    return tcpAnswer(await way.connect(host, Number(port)));
  } finally {
    forget();
    await way.close();
  }
}

const silent = (reason: string): Asked => ({ isGood: false, message: `no answer: ${reason}` });

function httpAnswer(answer: Answer, wanted: number | undefined): Asked {
  if (answer.kind === 'silent') return silent(answer.reason);
  const { status } = answer;
  if (isGoodStatus(status, wanted)) return { isGood: true, message: `HTTP ${status}` };
  return { isGood: false, message: `HTTP ${status}, not ${wanted ?? '200 to 399'}` };
}

function tcpAnswer(answer: Answer): Asked {
  if (answer.kind === 'silent') return silent(answer.reason);
  return { isGood: true, message: 'connected' };
}
