// A repository of this machine over HTTP: what git's own program for web servers gives.
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';

const BACKEND = ['git', ['http-backend']] as const;

/** The program is called as CGI has it: the request in variables and stdin, headers and body on stdout. */
export function answerGit(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://git');
  const variables = {
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    // The repository belongs to whoever runs the tests.
    ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
    PATH_INFO: decodeURIComponent(pathname),
    QUERY_STRING: searchParams.toString(),
    REQUEST_METHOD: request.method ?? 'GET',
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  };
  const [program, args] = BACKEND;
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin).on('error', () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.on('close', () => {
    const said = Buffer.concat(chunks);
    const end = said.indexOf('\r\n\r\n');
    const headers = said.subarray(0, Math.max(end, 0)).toString().split('\r\n').filter(Boolean);
    const pairs = headers.map((line) => line.split(/:\s*/, 2) as [string, string]);
    const [, status = end < 0 ? '500' : '200'] = pairs.find(([name]) => name === 'Status') ?? [];
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(pairs));
    response.end(said.subarray(end + 4));
  });
}
