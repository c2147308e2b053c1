// The cluster's certificate authority, its certificates and the kubeconfig files. Made once for a stack.

import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, kubeconfigFile, NODE } from './config.ts';
import { run } from './run.ts';

export const pkiFile = ({ state }: Config, name: string) => join(state, 'pki', name);

const SERVICE = 'kubernetes.default.svc';
const API_SERVER_NAMES = [
  ...['localhost', 'kubernetes', 'kubernetes.default', SERVICE, `${SERVICE}.cluster.local`].map(
    (name) => `DNS:${name}`,
  ),
  ...['127.0.0.1', NODE, '10.96.0.1'].map((address) => `IP:${address}`),
];

/** Each has a name of its own, so that the audit log tells who wrote. */
const ADMINISTRATORS = [
  'admin',
  'controller-manager',
  'scheduler',
  'kube-proxy',
  'argocd-application-controller',
  'argocd-applicationset-controller',
  'workflow-controller',
];

export async function makeCredentials(config: Config): Promise<void> {
  await mkdir(pkiFile(config, '.'), { recursive: true, mode: 0o700 });
  await makeKey(config, 'service-account');
  await makeKey(config, 'ca');
  await certificate(config, 'ca', '/CN=tiphys-stack', ['-x509']);
  await signed(config, 'api-server', '/CN=kube-apiserver', API_SERVER_NAMES);
  for (const user of ADMINISTRATORS) {
    await signed(config, user, `/O=system:masters/CN=${user}`, [`DNS:${user}`]);
    await kubeconfig(config, user);
  }
  await signed(config, 'kubelet', '/O=system:nodes/CN=system:node:node1', [
    'DNS:node1',
    `IP:${NODE}`,
  ]);
  await kubeconfig(config, 'kubelet');
}

/** NAME.key and NAME.crt of a server of this machine, signed like all others. */
export async function serverCertificate(config: Config, name: string, address: string) {
  await signed(config, name, `/CN=${name}`, [`IP:${address}`]);
  return {
    key: readFileSync(pkiFile(config, `${name}.key`)),
    cert: readFileSync(pkiFile(config, `${name}.crt`)),
  };
}

/** NAME.key, and NAME.pub for the one that only signs tokens. */
async function makeKey(config: Config, name: string): Promise<void> {
  if (existsSync(pkiFile(config, `${name}.pub`))) return;
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await writeFile(pkiFile(config, `${name}.key`), privateKey, { mode: 0o600 });
  await writeFile(pkiFile(config, `${name}.pub`), publicKey);
}

async function signed(config: Config, name: string, subject: string, names: string[]) {
  await makeKey(config, name);
  const authority = ['-CA', pkiFile(config, 'ca.crt'), '-CAkey', pkiFile(config, 'ca.key')];
  await certificate(config, name, subject, [
    '-x509',
    ...authority,
    ...['-addext', `subjectAltName=${names.join(',')}`],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-addext', 'extendedKeyUsage=serverAuth,clientAuth'],
  ]);
}

async function certificate(config: Config, name: string, subject: string, options: string[]) {
  if (existsSync(pkiFile(config, `${name}.crt`))) return;
  const files = ['-key', pkiFile(config, `${name}.key`), '-out', pkiFile(config, `${name}.crt`)];
  await run('openssl', ['req', '-new', '-subj', subject, '-days', '3650', ...files, ...options]);
}

async function kubeconfig(config: Config, user: string): Promise<void> {
  const base64 = (name: string) => readFileSync(pkiFile(config, name)).toString('base64');
  const text = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'tiphys-stack',
    contexts: [{ name: 'tiphys-stack', context: { cluster: 'tiphys-stack', user } }],
    clusters: [
      {
        name: 'tiphys-stack',
        cluster: {
          server: `https://${NODE}:6443`,
          'certificate-authority-data': base64('ca.crt'),
        },
      },
    ],
    users: [
      {
        name: user,
        user: {
          'client-certificate-data': base64(`${user}.crt`),
          'client-key-data': base64(`${user}.key`),
        },
      },
    ],
  });
  await writeFile(kubeconfigFile(config, user), text, { mode: 0o600 });
}
