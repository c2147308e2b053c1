// What is known of the content of a source from a folder and the programs that render.
import type { ChartUse, KubernetesObject } from '../material.ts';

export interface SourceContent {
  readonly objects: readonly KubernetesObject[];
  readonly charts: readonly ChartUse[];
  readonly values: readonly unknown[];
  /** Everything that it deploys is among the objects. */
  readonly isWhole: boolean;
}

export const NOTHING: SourceContent = { objects: [], charts: [], values: [], isWhole: false };
