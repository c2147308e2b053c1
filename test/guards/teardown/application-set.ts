// The shop, with an ApplicationSet that makes one of its Applications.
import type { KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import { API, DeployedShop } from './deployed-shop.ts';

const REPOSITORY = 'https://git.example/platform.git';

export function shopWithSet(): Promise<DeployedShop> {
  return DeployedShop.synced({}, ({ objects, git }) => {
    const others = ['dns', 'ingress', 'api', 'data-stack'].map((name) => applicationOf(name));
    git.commit(REPOSITORY, 'shop-root', others);
    const elements = [{ name: 'site' }];
    objects.create({
      ...{ apiVersion: API, kind: 'ApplicationSet' },
      metadata: { name: 'sites', namespace: 'argocd' },
      spec: { generators: [{ list: { elements } }], template: applicationOf('{{name}}') },
    });
  });
}

export function applicationOf(name: string): KubeObject {
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  return {
    ...{ apiVersion: API, kind: 'Application' },
    metadata: { name, namespace: 'argocd', finalizers },
    spec: {
      project: 'shop',
      source: { repoURL: REPOSITORY, path: name, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'platform' },
      syncPolicy: { automated: { selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
  };
}
