// tiphys rehearse serve: serves the simulated cluster on a port until Ctrl-C.
import { EXIT, type ExitStatus, usageError } from '../../errors.ts';
import { renderJson, renderJsonLine, renderLines } from '../../view/lines.ts';
import type { Io } from '../io.ts';
import type { ServeOptions } from '../options/serving-options.ts';
import { passTime, type Speed } from './pace.ts';
import type { Rehearsing } from './prepare-rehearsal.ts';
import { refuseRunFaults } from './refuse-when-serving.ts';

interface Options extends ServeOptions {
  readonly output: 'text' | 'json';
  readonly speed?: Speed;
}

export async function serveAction(
  io: Io,
  options: Options,
  { rehearsal, faults }: Rehearsing,
): Promise<ExitStatus> {
  const { speed = 1, kubeconfigOut } = options;
  if (speed === 'max')
    throw usageError(
      'The speed "max" is not supported for serve.',
      'Use a speed such as --speed 10x.',
    );
  await refuseRunFaults(faults);
  const { serve } = await import('../../simulator/serve/http-server.ts');
  const { port, close } = await serve(rehearsal.join('http').transport, options.port).catch(
    (error: Error) => {
      const message = `Cannot listen on port ${options.port}: ${error.message}.`;
      throw usageError(message, 'Choose another port with --port; 0 selects a free one.');
    },
  );
  const address = `http://127.0.0.1:${port}`;
  if (kubeconfigOut !== undefined) writeKubeconfig(io, kubeconfigOut, address);
  io.stdout(
    options.output === 'json'
      ? renderJsonLine({ address, namespace: rehearsal.namespace })
      : announcement(address, rehearsal.namespace, speed, kubeconfigOut),
  );
  const ended = new Promise<void>((resolve) => {
    const forget = io.onSignal(() => {
      forget();
      resolve();
    });
  });
  await passTime(rehearsal.time, ended, { speed, clock: io.clock });
  close();
  return EXIT.ok;
}

function announcement(address: string, namespace: string, speed: number, kubeconfig?: string) {
  const lines = [
    `Serving the simulated cluster at ${address}, at ${speed}x speed. Press Ctrl-C to stop.`,
    `  kubectl --server ${address} get applications -n ${namespace}`,
    kubeconfig === undefined
      ? '  (write a kubeconfig for `tiphys deploy` with --kubeconfig-out FILE)'
      : `  tiphys deploy --kubeconfig ${kubeconfig}`,
  ];
  return renderLines(lines);
}

function writeKubeconfig(io: Io, path: string, server: string): void {
  const name = 'rehearsal';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  io.writeFile(path, renderJson(config));
}
