// The programs that render what is not plain YAML.

export interface ChartRequest {
  readonly release: string;
  readonly namespace: string;
  /** A folder of the repository, or the name of a chart in a repository of charts. */
  readonly chart: { readonly path: string } | RemoteChart;
  /** Paths in the folder. */
  readonly valueFiles: readonly string[];
  /** After those of the files. */
  readonly values: unknown;
}

export interface RemoteChart {
  readonly name: string;
  readonly repository: string;
  readonly version: string;
}

export type Rendered = { readonly text: string } | { readonly problem: string };

export interface Renderer {
  readonly kustomize: (path: string) => Promise<Rendered>;
  readonly helm: (request: ChartRequest) => Promise<Rendered>;
}
