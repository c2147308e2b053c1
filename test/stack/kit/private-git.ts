// Git repositories of this machine, for pods, over HTTPS and with a password: a password is sent nowhere without TLS.
import { createServer } from 'node:https';
import type { Config } from '../config.ts';
import { HERE } from '../machine.ts';
import { serverCertificate } from '../pki.ts';
import { answerGit } from './git-backend.ts';

const PORT = 9418;

export interface PrivateGit {
  /** Of a repository below the folder. */
  readonly url: (path: string) => string;
  /** USER:PASSWORD that it takes from now on. */
  readonly accept: (pair: string) => void;
  readonly stop: () => void;
}

export async function servePrivateGit(
  config: Config,
  folder: string,
  pair: string,
): Promise<PrivateGit> {
  let accepted = pair;
  const certificate = await serverCertificate(config, 'private-git', HERE);
  const server = createServer(certificate, (request, response) => {
    const given = /^Basic (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (Buffer.from(given, 'base64').toString() === accepted)
      return answerGit(folder, request, response);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  });
  await new Promise<void>((done) => server.listen(PORT, HERE, done));
  return {
    url: (path) => `https://${HERE}:${PORT}/${path}`,
    accept: (another) => {
      accepted = another;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
