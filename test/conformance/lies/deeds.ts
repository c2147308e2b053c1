// The cluster does something else than it was asked for.
import { NESTED_CHECK } from '../nested-check.ts';
import { asked, committed, type Lies, written } from './lie.ts';

export const deeds: Lies = {
  'every deletion leaves the resources': {
    foundBy: [
      'a resource that is to be kept',
      'a namespace that a sync created',
      'a hook that was left goes',
      'a parent with its finalizer',
      'a removal under a hold',
      'an option Delete=false of an Application itself keeps nothing',
    ],
    request: (request) =>
      request.method === 'DELETE' && request.path.includes('/api/v1/applications/')
        ? { ...request, path: `${request.path.replace(/cascade=true&?/, '')}&cascade=false` }
        : request,
  },
  'every deletion takes the resources along': {
    foundBy: ['a deletion without cascade'],
    ...asked(/cascade=false/, 'cascade=true'),
  },
  'what runs pods goes before them': {
    foundBy: ['what runs pods goes after them'],
    ...asked(/propagationPolicy=foreground/, 'propagationPolicy=background'),
  },
  'a termination is not carried out': {
    foundBy: ['a removal ends an operation that is in its way', 'a removal ends an operation of'],
    request: (request) =>
      request.method === 'DELETE' && /\/operation\?/.test(request.path)
        ? { ...request, method: 'GET', path: request.path.replace('/operation?', '?') }
        : request,
  },
  'everything is ours': {
    foundBy: ['a removal lets an operation of somebody else'],
    ...written(
      /"retryStrategy":/,
      '"infos":[{"name":"tiphys/platform","value":"case"}],"retryStrategy":',
    ),
  },
  'nobody keeps a finalizer': {
    foundBy: ['deleted in Kubernetes'],
    ...written(/"finalizers":/, '"finalizer":'),
  },
  'automated sync cannot be switched off': {
    foundBy: ['one with automated.enabled false'],
    ...written(/"enabled":false/, '"enabled":true'),
  },
  'everything heals itself': {
    foundBy: ['drift stays'],
    ...written(/"automated":\{\}/, '"automated":{"selfHeal":true}'),
  },
  'nothing heals itself': {
    foundBy: ['self-heal puts back', 'a parent that heals itself'],
    ...written(/"selfHeal":true/, '"selfHeal":false'),
  },
  'windows are ignored': {
    foundBy: [
      'a deny window stops what is automated',
      'the windows of an Application',
      'a deny window with a pattern',
      'a patch of an AppProject changes what it names',
      'a hold that is patched is known',
    ],
    ...written(/"syncWindows":\[.*?\}\]/, '"syncWindows":[]'),
  },
  'labels do not select': {
    foundBy: ['labels select'],
    ...asked(/labelSelector=x[^&]*/, ''),
  },
  'sync options are ignored': {
    foundBy: ['what an inventory says goes', 'a resource that is to be kept'],
    ...committed(/Delete=false/g, 'Delete=true'),
  },
  'options of Applications are ignored': {
    foundBy: ['an option Delete=false of an Application itself keeps its objects'],
    ...written(/Delete=false/, 'Delete=true'),
  },
  'hooks stay for good': {
    foundBy: ['a hook that was left is in the inventory', 'a hook is made anew'],
    ...committed(/HookSucceeded/g, 'BeforeHookCreation'),
  },
  'every health counts': {
    foundBy: ['a resource whose health is to be ignored'],
    ...committed(/ignore-healthcheck/g, 'ignored'),
  },
  'no setting is taken up': {
    foundBy: ['with the documented check', 'with the check a child'],
    world: (world) => ({ ...world, settings: async () => {} }),
  },
  'children are always judged': {
    foundBy: ['without a check for Applications'],
    world: (world) => ({
      ...world,
      commit: async (...given) => {
        await world.settings({ [NESTED_CHECK]: 'hs = {}' });
        return await world.commit(...given);
      },
    }),
  },
};
