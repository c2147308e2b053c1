// argocd-server and Kubernetes answer something else than they should.
import { everywhere, type Lies, replaced, written } from './lie.ts';

const isArgocd = (path: string) => path.includes('/proxy/');

export const answers: Lies = {
  'a refused request is accepted': {
    foundBy: [
      'a second request is refused while',
      'a second request is refused also before',
      'to terminate what does not run',
      'a window that comes while an automated operation runs',
    ],
    status: ({ status }) => (status === 400 ? 200 : status),
  },
  'no refusal says why': {
    foundBy: [
      'an Application that is not there is not found',
      'without the right to it',
      'a sync is refused by a window',
      'a sync of an Application that is being deleted',
      'a sync is refused while Git',
    ],
    text: (text) => (/"code":\d+,"error"|"error":"/.test(text) ? withoutWords(text) : text),
  },
  'conflicts are hidden': {
    foundBy: [
      'an update with an old version',
      'a patch of an AppProject that was written since',
      'a Lease is created once',
      'an object is deleted by the uid',
      'what is not there is not found',
      'an ApplicationSet that is deleted as an orphanage',
    ],
    status: ({ status }) => (status === 409 ? 200 : status),
  },
  'what is invalid is accepted': {
    foundBy: ['a patch of an AppProject that its kind does not allow'],
    status: ({ status }) => (status === 422 ? 200 : status),
  },
  'what is not there is forbidden': {
    foundBy: ['an Application of another project', 'a deletion can be asked for again'],
    status: ({ status }, { path }) => (status === 404 && isArgocd(path) ? 403 : status),
  },
  'nobody may see which kinds there are': {
    foundBy: ['a kind that nobody serves'],
    status: ({ status }, { path }) => (path === '/apis' ? 403 : status),
  },
  'every token is good': {
    foundBy: ['a token that is none', 'argocd-server answers through the service proxy'],
    status: ({ status }) => (status === 401 ? 200 : status),
  },
  'everybody may do everything in Argo CD': {
    foundBy: ['who a token is'],
    text: replaced(/"value":"no"/g, '"value":"yes"'),
  },
  'nobody may do anything in Kubernetes': {
    foundBy: ['the user of the kubeconfig'],
    text: replaced(/"allowed":true/g, '"allowed":false'),
  },
  'every window lets a sync through': {
    foundBy: ['the windows of an Application'],
    text: replaced(/"canSync":false/g, '"canSync":true'),
  },
  'no window lets a sync through': {
    foundBy: ['a deny window with manualSync'],
    text: replaced(/"canSync":true/g, '"canSync":false'),
  },
  'nothing is live': {
    foundBy: ['managed resources come', 'the client finds its own operation'],
    text: replaced(/"liveState":"(?:[^"\\]|\\.)*"/g, '"liveState":"null"'),
  },
  'a sync would change nothing': {
    foundBy: ['a prediction has what Git changes'],
    text: replaced(
      /"normalizedLiveState":("(?:[^"\\]|\\.)*"),"predictedLiveState":"(?:[^"\\]|\\.)*"/g,
      '"normalizedLiveState":$1,"predictedLiveState":$1',
    ),
  },
  'what is new is live': {
    foundBy: ['of what is new nothing is live'],
    text: replaced(/"normalizedLiveState":"null"/g, '"normalizedLiveState":"{}"'),
  },
  'what is to be ignored is not': {
    foundBy: ['what an Application ignores'],
    text: (text, { path }) =>
      path.includes('/managed-resources') ? text.replace(/\\"y\\":/g, '\\"x\\":') : text,
  },
  'every mask is the same': {
    foundBy: ['values of a Secret are masked'],
    text: replaced(/\+{9,}/g, '+'.repeat(8)),
  },
  'what is rendered has no hooks': {
    foundBy: ['hooks are among the manifests'],
    text: (text, { path }) =>
      path.includes('/manifests?') ? text.replace(/"name\\":\\"h\\"/g, '"name\\":\\"a\\"') : text,
  },
  'nothing in a tree has a parent': {
    foundBy: ['the resource tree leads'],
    text: replaced(/"parentRefs":/g, '"parents":'),
  },
  'pods are not in the tree': {
    foundBy: ['the client blames the pod'],
    text: (text, { path }) =>
      path.includes('/resource-tree') ? text.replace(/"kind":"Pod"/g, '"kind":"Thing"') : text,
  },
  'a list has one Application twice': {
    foundBy: ['the list of Applications'],
    text: (text, { path }) =>
      path.includes('applications?projects=')
        ? text.replace(/"name":"case-b"/g, '"name":"case-a"')
        : text,
  },
  'stored bytes are changed': {
    foundBy: ['stored text comes back'],
    text: replaced(/"events":"[^"]*"/g, '"events":"AAAA"'),
  },
  'nothing is immutable': {
    foundBy: ['stored text that is sealed'],
    ...written(/,"immutable":true/g, ''),
  },
  'an update makes a new version though it changes nothing': {
    foundBy: ['an update that changes nothing'],
    text: (text, { method }) =>
      method === 'PUT' ? text.replace(/("resourceVersion":"\d+)"/g, '$10"') : text,
  },
  'a list has no more than its first page': {
    foundBy: ['a list comes in pages'],
    text: replaced(/"continue":"[^"]*"/g, '"continue":""'),
  },
  'a deletion that is done is no success': {
    foundBy: ['a deletion without finalizers is done'],
    text: replaced(/"status":"Success"/g, '"status":"Failure"'),
  },
  'uids are short': {
    foundBy: ['what is created has a uid'],
    text: replaced(/"uid":"([^"-]*)-[^"]*"/g, '"uid":"$1"'),
  },
  'every object has the same uid': {
    foundBy: [
      'an Application that is made again',
      'a hook is made anew',
      'a parent that heals itself',
      'an ApplicationSet owns',
    ],
    text: replaced(/"uid":"[^"]*"/g, '"uid":"00000000-0000-4000-8000-000000000000"'),
  },
  'the generation stands still': {
    foundBy: ['the generation counts', 'a refresh writes twice'],
    ...everywhere(/"generation":\d+/g, '"generation":1'),
  },
  'no ApplicationSet is ever up to date': {
    foundBy: ['a new ApplicationSet is up to date'],
    text: replaced(/("type":"ResourcesUpToDate","status":)"True"/g, '$1"False"'),
  },
  'every ApplicationSet is up to date': {
    foundBy: ['an ApplicationSet that cannot make'],
    text: replaced(/("type":"ResourcesUpToDate","status":)"False"/g, '$1"True"'),
  },
  'nobody owns anything': {
    foundBy: ['an ApplicationSet owns'],
    text: replaced(/"ownerReferences":/g, '"owners":'),
  },
  'a watch does not tell of deletions': {
    foundBy: ['the client’s watch sees an Application', 'the resources go in reverse order'],
    line: (line) => (line.startsWith('{"type":"DELETED"') ? undefined : line),
  },
  'a watch has one version for everything': {
    foundBy: ['a watch tells what came after'],
    line: replaced(/"resourceVersion":"\d+"/g, '"resourceVersion":"99999"'),
  },
  'a watch has no bookmarks': {
    foundBy: ['a watch ends with its time'],
    line: (line) => (line.startsWith('{"type":"BOOKMARK"') ? undefined : line),
  },
  'a version that is too old is another error': {
    foundBy: ['a watch from a version'],
    line: replaced(/"code":410/g, '"code":500'),
  },
};

function withoutWords(text: string): string {
  return text.replace(/"(message|error)":"(?:[^"\\]|\\.)*"/g, '"$1":""');
}
