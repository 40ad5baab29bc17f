import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import ts from 'typescript';

const FOLDER = 'deploy/kubernetes/';
const ROOT_LIST = `${FOLDER}kustomization.yaml`;
const EXAMPLE = `${FOLDER}secret.example.yaml`;

/** The manifests: the schema of each kind, fields that Kubernetes would ignore, what they refer to, the settings, and the time for a stop. */
export async function kubernetesFaults({ root, read, files, version, unknownNames, stopSeconds }) {
  const faults = [];
  const manifests = [];
  const fault = (path, text) => void faults.push(`${path}: ${text}`);
  for (const path of files.filter((each) => each.startsWith(FOLDER) && each.endsWith('.yaml'))) {
    for (const document of parseAllDocuments(read(path), { merge: true })) {
      for (const { message } of document.errors) fault(path, message);
      const body = document.toJS();
      // Values of a chart are no manifest.
      if (body?.kind !== undefined) manifests.push({ path, body });
    }
  }
  const list = manifests.find(({ path }) => path === ROOT_LIST)?.body;
  const own = manifests.filter(({ path }) => path !== ROOT_LIST);
  for (const { path } of own) {
    if (path !== EXAMPLE && !list?.resources.includes(path.slice(FOLDER.length))) fault(path, `is not listed in ${ROOT_LIST}`);
  }
  for (const name of list?.resources ?? []) {
    if (!own.some(({ path }) => path === FOLDER + name)) fault(ROOT_LIST, `lists ${name}, which does not exist`);
  }
  if (!list?.images.some(({ name, newTag }) => name === 'parley' && newTag === version)) {
    fault(ROOT_LIST, `the version of the image is not ${version}, as in package.json`);
  }
  for (const { path, body } of own) {
    const models = await import(`kubernetes-models/${body.apiVersion}`).catch(() => ({}));
    const Model = models[body.kind];
    if (Model === undefined) {
      fault(path, `${body.apiVersion} has no ${body.kind}`);
      continue;
    }
    try {
      new Model(body).validate();
    } catch (error) {
      fault(path, error.message);
    }
  }
  faults.push(...unknownFields(root, own));
  const settings = {};
  for (const { path, body } of own.filter(({ body: { kind } }) => kind === 'ConfigMap' || kind === 'Secret')) {
    const values = body.data ?? body.stringData ?? {};
    Object.assign(settings, values);
    for (const name of unknownNames(Object.keys(values))) fault(path, `${name} is no setting of Parley`);
  }
  faults.push(...referenceFaults(own), ...own.flatMap((manifest) => podFaults(manifest, own, stopSeconds(settings))));
  return { faults };
}

/** Objects that are named by others, and labels by which they are selected. */
function referenceFaults(manifests) {
  const faults = [];
  const exists = (kind, name) => manifests.some(({ body }) => body.kind === kind && body.metadata.name === name);
  const labels = manifests.map(({ body }) => body.spec?.template?.metadata?.labels).filter(Boolean);
  const selects = (wanted) => labels.some((given) => Object.entries(wanted).every(([name, value]) => given[name] === value));
  for (const { path, body } of manifests) {
    const need = (kind, name) => void (exists(kind, name) || faults.push(`${path}: there is no ${kind} ${name}`));
    const { spec = {} } = body;
    if (spec.scaleTargetRef) need(spec.scaleTargetRef.kind, spec.scaleTargetRef.name);
    for (const { http } of spec.rules ?? []) for (const { backend } of http.paths) need('Service', backend.service.name);
    const selector = spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector;
    if (selector && !selects(selector)) faults.push(`${path}: no pod has the labels ${JSON.stringify(selector)}`);
  }
  return faults;
}

/** What the restricted profile of Kubernetes asks of pods, and what the server needs. */
function podFaults({ path, body }, manifests, stopSeconds) {
  const pod = body.spec?.template?.spec;
  if (pod === undefined) return [];
  const faults = [];
  const must = (holds, text) => void (holds || faults.push(`${path}: ${text}`));
  const exists = (kind, name) => manifests.some((other) => other.body.kind === kind && other.body.metadata.name === name);
  must(pod.terminationGracePeriodSeconds >= stopSeconds, `terminationGracePeriodSeconds must be at least ${stopSeconds}`);
  must(pod.securityContext?.runAsNonRoot === true && pod.securityContext.runAsUser > 0, 'must run as a user other than root');
  must(pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'must have the seccomp profile RuntimeDefault');
  for (const { name, persistentVolumeClaim } of pod.volumes ?? []) {
    if (persistentVolumeClaim) {
      must(
        exists('PersistentVolumeClaim', persistentVolumeClaim.claimName),
        `volume ${name}: there is no claim ${persistentVolumeClaim.claimName}`,
      );
    }
  }
  for (const container of pod.containers) {
    const { securityContext = {} } = container;
    must(securityContext.allowPrivilegeEscalation === false, `${container.name} must not gain privileges`);
    must(securityContext.capabilities?.drop?.includes('ALL'), `${container.name} must drop all capabilities`);
    must(securityContext.readOnlyRootFilesystem === true, `${container.name} must have a read-only root`);
    for (const [probe, route] of Object.entries({ startupProbe: '/startupz', livenessProbe: '/livez', readinessProbe: '/readyz' })) {
      must(container[probe]?.httpGet?.path === route, `${container.name}: ${probe} must ask ${route}`);
      must(
        container.ports.some(({ name }) => name === container[probe]?.httpGet?.port),
        `${container.name}: ${probe} names no port`,
      );
    }
    for (const { name } of container.volumeMounts ?? []) {
      must(
        pod.volumes?.some((volume) => volume.name === name),
        `${container.name} mounts ${name}, which is no volume`,
      );
    }
    for (const { configMapRef, secretRef } of container.envFrom ?? []) {
      if (configMapRef) must(exists('ConfigMap', configMapRef.name), `there is no ConfigMap ${configMapRef.name}`);
      if (secretRef) must(exists('Secret', secretRef.name), `there is no Secret ${secretRef.name}`);
    }
  }
  return faults;
}

/** The types of the models say which fields there are; their validators accept any other. */
function unknownFields(root, manifests) {
  const sources = new Map(
    manifests.map(({ path, body }, index) => [
      join(root, 'scripts', 'deploy', `manifest-${index}.mts`),
      {
        path,
        text: `import type { I${body.kind} } from 'kubernetes-models/${body.apiVersion}';\nexport const manifest: I${body.kind} = ${JSON.stringify(body)};\n`,
      },
    ]),
  );
  const options = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  Object.assign(host, {
    fileExists: (file) => sources.has(file) || fileExists(file),
    readFile: (file) => sources.get(file)?.text ?? readFile(file),
    getSourceFile: (file, target) =>
      sources.has(file) ? ts.createSourceFile(file, sources.get(file).text, target, true) : getSourceFile(file, target),
  });
  const program = ts.createProgram([...sources.keys()], options, host);
  return [...sources].flatMap(([file, { path }]) =>
    program.getSemanticDiagnostics(program.getSourceFile(file)).map(({ messageText }) => `${path}: ${innermost(messageText)}`),
  );
}

function innermost(message) {
  return typeof message === 'string' ? message : innermost(message.next?.at(-1) ?? message.messageText);
}
