// The part of Kubernetes' objects that is looked at here, as the API server answers them.

export interface Pod {
  readonly spec: {
    readonly containers: readonly [Container];
    readonly volumes: readonly Volume[];
    readonly terminationGracePeriodSeconds?: number;
  };
}

export interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: readonly { key: string; path: string }[] };
  readonly configMap?: { readonly name: string };
}

/** A Deployment or a Job. */
export interface Controller {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly template: Pod & { readonly metadata: object } };
}

export interface ConfigMap {
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
}
