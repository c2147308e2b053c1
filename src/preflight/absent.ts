// RFC 3.2.7: what must not exist yet. What an earlier bootstrap created is present, and allowed.
import { onCluster } from './cluster.ts';
import type { ObjectView } from './preflight-context.ts';
import { failure, type Prerequisite, pass, prerequisitesOf, type Verdict, warning } from './row.ts';
import { MADE_BY_BOOTSTRAP, type Primitive, primitivesOf, type Wanted } from './wanted.ts';

const { must, should } = prerequisitesOf('3.2.7');
const PART_OF = 'app.kubernetes.io/part-of';
const SEALING_KEY = 'sealedsecrets.bitnami.com/sealed-secrets-key';

export const absentPrerequisites = (wanted: Wanted): readonly Prerequisite[] => [
  ...primitivesOf(wanted).map((primitive) =>
    must(
      `absent:${primitive.name}`,
      `no ${primitive.title} except the one that bootstrap installed`,
      onCluster(async ({ namespaces, deployments }) => {
        const label = `${PART_OF}=${primitive.name}`;
        return judgePrimitive(primitive, wanted, await namespaces(), await deployments(label));
      }),
    ),
  ),
  should(
    'absent:sealing-keys',
    'no earlier key of sealed-secrets',
    onCluster(async ({ secrets, namespaces }) =>
      judgeSealingKeys(await secrets(SEALING_KEY), await namespaces()),
    ),
  ),
  should(
    'absent:definitions',
    'no earlier CustomResourceDefinitions of the primitives',
    onCluster(async (cluster) => {
      const seen = await Promise.all([cluster.definitions(), cluster.namespaces()]);
      return judgeDefinitions(wanted, ...seen);
    }),
  ),
  must(
    'absent:platform',
    'no earlier namespaces of the platform',
    onCluster(async ({ namespaces }) => judgePlatform(wanted, await namespaces())),
  ),
];

const madeByBootstrap = (namespaces: readonly ObjectView[]): ReadonlySet<string> => {
  const [key, value] = MADE_BY_BOOTSTRAP;
  return new Set(namespaces.filter((one) => one.labels.get(key) === value).map(({ name }) => name));
};

const TRACKING = 'argocd.argoproj.io/tracking-id';
const TEARDOWN =
  'If something in it is in use, keep it: bootstrap is not needed. If an earlier bootstrap left it, tear the platform down and delete the namespace. Otherwise choose another namespace.';
/** An Argo CD that bootstrap did not install is in use, and must not be removed for a bootstrap. */
const IN_USE =
  'It is in use: bootstrap is not needed here. Deploy with `tiphys deploy`, or bootstrap another cluster.';

function judgePrimitive(
  { namespace, title }: Primitive,
  { argocdNamespace }: Wanted,
  namespaces: readonly ObjectView[],
  deployments: readonly ObjectView[],
): Verdict {
  const ours = madeByBootstrap(namespaces);
  // A platform may adopt a primitive, as an application of the Argo CD that bootstrap installed.
  const isOurs = (one: ObjectView) =>
    ours.has(one.namespace) || (ours.has(argocdNamespace) && one.annotations.has(TRACKING));
  const place = namespaces.find(({ name }) => name === namespace);
  const inside = deployments.filter((one) => one.namespace === namespace);
  const bad = (seen: string, remedy = TEARDOWN) => failure('cluster-not-empty', seen, remedy);
  if (place?.deleting) {
    const remedy = `Wait until it is gone: kubectl wait --for=delete namespace/${namespace}`;
    return bad(`the namespace ${namespace} is being deleted`, remedy);
  }
  if (place && !ours.has(namespace) && !(inside.length > 0 && inside.every(isOurs))) {
    const seen = `the namespace ${namespace} exists, and bootstrap did not create it`;
    return inside.length > 0 ? bad(seen, IN_USE) : bad(seen);
  }
  const foreign = deployments.filter((one) => !isOurs(one));
  if (foreign.length > 0) {
    const where = [...new Set(foreign.map((one) => one.namespace))].join(', ');
    return bad(`${title} runs in ${where}, and bootstrap did not install it`, IN_USE);
  }
  return pass(place ? `present: bootstrap created ${namespace}` : 'absent');
}

function judgeSealingKeys(keys: readonly ObjectView[], namespaces: readonly ObjectView[]): Verdict {
  const ours = madeByBootstrap(namespaces);
  const foreign = keys.filter(({ namespace }) => !ours.has(namespace));
  if (keys.length === 0) return pass('absent');
  if (foreign.length === 0) return pass(`present: ${keys.length}, in a namespace of bootstrap`);
  const where = foreign.map(({ namespace, name }) => `${namespace}/${name}`).join(', ');
  const remedy =
    'Keep it if secrets were sealed with it: copy it into the namespace of sealed-secrets.';
  return warning(where, remedy);
}

const GROUPS = ['argoproj.io', 'bitnami.com'];

function judgeDefinitions(
  wanted: Wanted,
  definitions: readonly ObjectView[],
  namespaces: readonly ObjectView[],
): Verdict {
  const found = definitions.filter(({ name }) =>
    GROUPS.some((group) => name.endsWith(`.${group}`)),
  );
  if (found.length === 0) return pass('absent');
  const ours = madeByBootstrap(namespaces);
  if (primitivesOf(wanted).some(({ namespace }) => ours.has(namespace)))
    return pass(`present: ${found.length}, together with what bootstrap installed`);
  const seen = `${found.length}: ${found.map(({ name }) => name).join(', ')}`;
  const remedy = 'Helm does not upgrade existing definitions. Delete them if nothing uses them.';
  return warning(seen, remedy);
}

/** By their name, or because Argo CD shows which application created them. */
function judgePlatform(wanted: Wanted, namespaces: readonly ObjectView[]): Verdict {
  const known = new Set(wanted.names);
  const places = new Set(primitivesOf(wanted).map(({ namespace }) => namespace));
  const found = namespaces.filter(({ name, annotations }) => {
    const [maker = ''] = annotations.get(TRACKING)?.split(':') ?? [];
    return !places.has(name) && (known.has(name) || known.has(maker));
  });
  if (found.length === 0) return pass('absent');
  const seen = found.map(({ name }) => name).join(', ');
  if (madeByBootstrap(namespaces).has(wanted.argocdNamespace))
    return pass(`present, with its Argo CD: ${seen}`);
  const remedy = 'Delete the remains of an earlier platform: kubectl delete namespace NAME';
  return failure('cluster-not-empty', seen, remedy);
}
