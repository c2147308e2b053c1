// An admission webhook that answers with an error: objects that the API server does not take, for a reason that is not theirs.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { KubernetesObject } from '@kubernetes/client-node';
import { HERE } from '../machine.ts';
import { run } from '../run.ts';
import type { Scratch } from './scratch.ts';

/** What it is asked about: objects with this label, in this namespace. */
interface Asked {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

export class FailingWebhook {
  /** As the API server calls it in its messages. */
  readonly name: string;
  /** How often it was asked. */
  asked = 0;
  readonly #stack: Scratch['stack'];
  readonly #configuration: KubernetesObject;

  private constructor(scratch: Scratch, configuration: KubernetesObject, name: string) {
    this.#stack = scratch.stack;
    this.#configuration = configuration;
    this.name = name;
  }

  /** Answers HTTP 500 until it is removed, at the latest when the test ends. */
  static async start(scratch: Scratch, asked: Asked): Promise<FailingWebhook> {
    const { cert, key } = await certificate(scratch);
    const server = createServer({ cert, key }, (request, response) => {
      webhook.asked++;
      request.resume();
      response.writeHead(500).end('out of order');
    });
    await new Promise<void>((done) => server.listen(0, HERE, done));
    scratch.afterwards(async () => {
      server.close();
      server.closeAllConnections();
    });
    const name = `${asked.resource}.${scratch.name}.example.org`;
    const { port } = server.address() as AddressInfo;
    const clientConfig = {
      url: `https://${HERE}:${port}/`,
      caBundle: Buffer.from(cert).toString('base64'),
    };
    const object = configuration(scratch.name, name, asked, clientConfig);
    const webhook = new FailingWebhook(scratch, object, name);
    await scratch.apply(object);
    return webhook;
  }

  async remove(): Promise<void> {
    await this.#stack.remove(this.#configuration);
  }
}

function configuration(test: string, name: string, asked: Asked, clientConfig: object) {
  const { group, resource, namespace, labels } = asked;
  const rule = {
    ...{ apiGroups: [group], apiVersions: ['*'], resources: [resource] },
    operations: ['CREATE', 'UPDATE'],
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: test, namespace: '' },
    webhooks: [
      {
        ...{ name, clientConfig, rules: [rule] },
        ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Fail' },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        objectSelector: { matchLabels: labels },
      },
    ],
  };
}

async function certificate({ repository }: Scratch): Promise<{ cert: string; key: string }> {
  const file = join(repository.directory, '.git', 'webhook.key');
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const subject = ['-subj', '/CN=webhook', '-addext', `subjectAltName=IP:${HERE}`, '-days', '1'];
  const cert = await run('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', file]);
  return { cert, key: await readFile(file, 'utf8') };
}
