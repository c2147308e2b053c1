// Argo CD says something else of an Application than it should.
import { everywhere, type Lies, replaced } from './lie.ts';

/** An operation that is over still exists. */
function stillRequested(text: string): string {
  const body = JSON.parse(text);
  const isOver = body.status?.operationState?.phase === 'Succeeded';
  return isOver ? JSON.stringify({ ...body, operation: {} }) : text;
}

/** Later with each look. */
function laterAndLater() {
  let second = 0;
  const next = () => new Date(Date.UTC(2030, 0, 1) + 1000 * second++).toISOString().slice(0, 19);
  return (text: string) =>
    text.replace(/"reconciledAt":"[^"]*"/g, () => `"reconciledAt":"${next()}Z"`);
}

export const applications: Lies = {
  'times have fractions of seconds': {
    foundBy: ['times are whole seconds'],
    text: replaced(/("finishedAt":"[^"]*)Z"/g, '$1.500Z"'),
  },
  'an operation that has ended is still requested': {
    foundBy: ['an operation is requested, runs and ends'],
    text: stillRequested,
  },
  'the initiator is not told': {
    foundBy: [
      'a sync request is answered with the Application',
      'an automated Application is synced without being asked',
      'a deny window stops what is automated',
      'taken out of the window and refreshed',
    ],
    text: replaced(/"initiatedBy":\{[^}]*\}/g, '"initiatedBy":{}'),
  },
  'infos are forgotten': {
    foundBy: ['the client finds its own operation'],
    text: replaced(/"info":\[[^\]]*\]/g, '"info":[]'),
  },
  'every operation fails': {
    foundBy: [
      'an operation is over when all is applied',
      'a wave is applied when',
      'an empty folder is Synced',
      'with the check a child of a later wave',
    ],
    ...everywhere(/"phase":"Succeeded"/g, '"phase":"Failed"'),
  },
  'every operation succeeds': {
    foundBy: [
      'a hook that fails fails the operation',
      'an operation that is terminated fails',
      'what was applied before a termination',
      'what the cluster does not take',
      'an object of a kind that the cluster does not know',
      'a namespace that is not there fails',
      'after a failed operation',
      'not even a termination',
    ],
    ...everywhere(/"phase":"Failed"/g, '"phase":"Succeeded"'),
  },
  'no operation waits for a retry': {
    foundBy: ['an automated operation that failed waits'],
    text: replaced(/"phase":"Running"/g, '"phase":"Failed"'),
  },
  'hooks never end': {
    foundBy: ['a PreSync hook ends', 'a PostSync hook starts'],
    text: replaced(/"hookPhase":"Succeeded"/g, '"hookPhase":"Running"'),
  },
  'hooks have no phase': {
    foundBy: [
      'the result of a hook has a phase and no',
      'the result of a hook has a phase and the',
    ],
    text: replaced(/"hookPhase":"\w+"/g, '"hookPhase":""'),
  },
  'nobody says how an operation ended': {
    foundBy: [
      'an operation whose object is refused ends at once',
      'an operation whose object is refused ends when',
    ],
    text: replaced(/one or more/g, 'some'),
  },
  'hooks are resources': {
    foundBy: ['a hook among the resources'],
    text: replaced(/"hook":true/g, '"hook":false'),
  },
  'everything is configured': {
    foundBy: ['an operation says of each object'],
    text: replaced(/ (?:created|unchanged)"/g, ' configured"'),
  },
  'the history is empty': {
    foundBy: ['the history has what succeeded'],
    text: replaced(/"history":\[\{/g, '"past":[{'),
  },
  'the branch is the revision': {
    foundBy: [
      'a commit is seen at the next refresh',
      'a commit elsewhere',
      'an operation stays at its revision',
      'an automated Application takes a commit over',
    ],
    text: replaced(/("revision":")[0-9a-f]{40}"/g, '$1main"'),
  },
  'nothing has to be pruned': {
    foundBy: [
      'a child that was taken out',
      'what was taken out of Git',
      'automated pruning removes',
    ],
    text: replaced(/"requiresPruning":true/g, '"requiresPruning":false'),
  },
  'what is OutOfSync is Synced': {
    foundBy: ['a change of a live object', 'a child’s operation and status', 'drift stays'],
    text: replaced(/"status":"OutOfSync"/g, '"status":"Synced"'),
  },
  'what is Missing is Healthy': {
    foundBy: [
      'one missing object of two makes',
      'one missing object of two leaves',
      'an Application of which nothing is there',
      'a new Application is compared',
      'a live object that is deleted',
      'a missing object counts',
      'a parent makes its children',
    ],
    text: replaced(/"status":"Missing"/g, '"status":"Healthy"'),
  },
  'what is Degraded is Progressing': {
    foundBy: ['a Job that failed is Degraded', 'the worst health'],
    text: replaced(/"status":"Degraded"/g, '"status":"Progressing"'),
  },
  'what is Progressing is Healthy': {
    foundBy: [
      'a changed Deployment is Progressing',
      'a Job is Progressing',
      'a Service is Healthy',
      'with the documented check',
    ],
    ...everywhere(/"status":"Progressing"/g, '"status":"Healthy"'),
  },
  'what is Suspended is Healthy': {
    foundBy: ['a paused Deployment'],
    text: replaced(/"status":"Suspended"/g, '"status":"Healthy"'),
  },
  'every kind has a health': {
    foundBy: ['a kind without a check'],
    text: replaced(
      /("kind":"ConfigMap","namespace":"case","name":"a","status":"Synced")/g,
      '$1,"health":{"status":"Healthy"}',
    ),
  },
  'nobody says where the health of resources is kept': {
    foundBy: ['Kubernetes has no health'],
    text: replaced(/"resourceHealthSource":"appTree"/g, '"resourceHealthSource":""'),
  },
  'no health has a new time': {
    foundBy: ['a Deployment that becomes ready'],
    text: replaced(/"lastTransitionTime":"[^"]*"/g, '"lastTransitionTime":"2026-01-01T00:00:00Z"'),
  },
  'everything is reconciled at once': {
    foundBy: [
      'a refresh is answered after the comparison',
      'a hard refresh compares',
      'the time of the last transition',
    ],
    text: replaced(/"reconciledAt":"[^"]*"/g, '"reconciledAt":"2030-01-01T00:00:00Z"'),
  },
  'every look is a reconciliation': {
    foundBy: ['a change of a live object'],
    text: laterAndLater(),
  },
  'nothing was reconciled lately': {
    foundBy: ['an Application is compared by itself when'],
    text: replaced(/"reconciledAt":"[^"]*"/g, '"reconciledAt":"2001-01-01T00:00:00Z"'),
  },
  'what was compared to is not said': {
    foundBy: [
      'what was compared to is said',
      'an Application with a source hydrator',
      'the sync source of a hydrator',
    ],
    text: replaced(/"comparedTo":/g, '"compared":'),
  },
  'conditions are kept back': {
    foundBy: ['while Git does not answer a refresh', 'a folder that is not in Git'],
    text: replaced(/"conditions":\[\{"type":"\w+Error"/g, '"others":[{"x":""'),
  },
  'a wrong spec makes everything Unknown': {
    foundBy: ['a project that is not there'],
    text: (text) =>
      text.includes('InvalidSpecError')
        ? text.replace(/"status":"Synced"/g, '"status":"Unknown"')
        : text,
  },
  'nothing is ever being deleted': {
    foundBy: [
      'while an operation runs a deletion waits',
      'a deletion with cascade',
      'an object with a finalizer stays',
      'finalizers are taken off',
    ],
    text: replaced(/"deletionTimestamp":"[^"]*"/g, '"deletedAt":""'),
  },
  'nothing has a finalizer': {
    foundBy: ['a removal that hangs', 'an inventory refuses a claim'],
    text: replaced(/finalizers(\\?"):/g, 'finalizer$1:'),
  },
  'nothing says whose it is': {
    foundBy: [
      'a namespace has what was put into it',
      'an object that another Application took over',
    ],
    text: replaced(/argocd\.argoproj\.io\/tracking-id/g, 'example.com/id'),
  },
  'no claim is bound': {
    foundBy: ['a claim is Healthy when'],
    text: replaced(/"phase":"Bound"/g, '"phase":"Pending"'),
  },
  'a namespace is never Active': {
    foundBy: ['a namespace goes with'],
    text: replaced(/"phase":"Active"/g, '"phase":""'),
  },
};
