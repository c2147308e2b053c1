// All families of facts, as one table.
import { healthKey } from '../../health/render.ts';
import { healthSource } from '../../health/sources.ts';
import type { ApplicationMaterial, KubernetesObject, Material } from '../material.ts';
import { chartFacts } from './charts.ts';
import { classFacts } from './classes.ts';
import type { Facts, Subjects } from './fact.ts';
import { familyFacts } from './family.ts';
import { issuerFacts } from './issuers.ts';
import { kindFacts } from './kinds.ts';
import { namedFacts } from './named.ts';
import { namespaceFacts } from './namespaces.ts';
import { kindOf, objectsOf } from './object.ts';
import { operatorFacts } from './operators.ts';
import { runtimeKindFacts } from './runtime-kinds.ts';
import { secretFacts } from './secrets.ts';
import { serviceFacts } from './services.ts';
import { storeFacts } from './stores.ts';
import { valueFacts } from './values.ts';
import { waitFacts } from './waits.ts';

const FAMILIES: readonly ((subjects: Subjects) => Facts)[] = [
  kindFacts,
  runtimeKindFacts,
  chartFacts,
  valueFacts,
  classFacts,
  storeFacts,
  issuerFacts,
  secretFacts,
  namedFacts,
  namespaceFacts,
  operatorFacts,
  serviceFacts,
  waitFacts,
  familyFacts,
];

/** Provides and needs of an application: a pure function of it and of what Argo CD looks at. */
export function factsOf(application: ApplicationMaterial, material: Material): Facts {
  const subjects: Subjects = {
    application,
    objects: objectsOf(application),
    hasHealth: healthLookup(material.customHealth),
    argocdNamespace: material.argocdNamespace,
  };
  const all = FAMILIES.map((family) => family(subjects));
  return {
    provides: all.flatMap(({ provides }) => provides),
    needs: all.flatMap(({ needs }) => needs),
  };
}

function healthLookup(custom: readonly string[]): (object: KubernetesObject) => boolean {
  const settings = new Map(
    custom.map((name) => {
      const slash = name.indexOf('/');
      const kind = { group: slash === -1 ? '' : name.slice(0, slash), kind: name.slice(slash + 1) };
      return [healthKey(kind), ''];
    }),
  );
  return (object) => healthSource(kindOf(object), settings) !== 'none';
}
