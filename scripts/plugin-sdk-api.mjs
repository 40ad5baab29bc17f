// The plugin SDK's public surface as text: what TypeScript's own emitter declares for it. `npm run docs` writes it, a test compares it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const SDK = join(import.meta.dirname, '..', 'src', 'plugin-sdk');
const HEAD = `# Plugin SDK

What plugins may rely on, as \`npm run docs\` prints it from the code. A plugin imports \`parley/plugin-sdk\`, all of which but
\`testing.ts\` is below, and its tests \`parley/plugin-sdk/testing\`, which is \`testing.ts\`. A change here is a change for every plugin.
`;

export async function pluginSdkApi() {
  const files = readdirSync(SDK).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const parts = files.sort().map((name) => `## ${name}\n\n\`\`\`ts\n${declarationsOf(join(SDK, name))}\`\`\`\n`);
  return format(`${HEAD}\n${parts.join('\n')}`, { ...(await resolveConfig(join(SDK, 'index.ts'))), parser: 'markdown' });
}

function declarationsOf(file) {
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, stripInternal: true },
  });
  if (diagnostics?.length) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
  return outputText;
}
