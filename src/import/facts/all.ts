// All families of facts, as one table.
import { healthKey } from '../../health/render.ts';
import { healthSource } from '../../health/sources.ts';
import type { ApplicationMaterial, KubernetesObject, Material } from '../material.ts';
import { chartFacts } from './chart-facts.ts';
import { classFacts } from './class-facts.ts';
import type { Facts, Subjects } from './fact.ts';
import { familyFacts } from './family-facts.ts';
import { issuerFacts } from './issuer-facts.ts';
import { kindFacts } from './kind-facts.ts';
import { namedFacts } from './named-facts.ts';
import { namespaceFacts } from './namespace-facts.ts';
import { kindOf, objectsOf } from './object.ts';
import { operatorFacts } from './operator-facts.ts';
import { runtimeKindFacts } from './runtime-kind-facts.ts';
import { secretFacts } from './secret-facts.ts';
import { serviceFacts } from './service-facts.ts';
import { storeFacts } from './store-facts.ts';
import { valueFacts } from './value-facts.ts';
import { waitFacts } from './wait-facts.ts';

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
