// The plugin SDK's public API as text: the declarations that TypeScript emits. `npm run docs` writes it, and a test compares it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const SDK = join(import.meta.dirname, '..', 'src', 'plugin-sdk');
const HEAD = `# Plugin SDK

The public API for plugins, generated from the code by \`npm run docs\`. Plugins import \`parley-server/plugin-sdk\`, which contains everything
below except \`testing*.ts\`; their tests import \`parley-server/plugin-sdk/testing\`, which is \`testing*.ts\`. Changes affect all plugins.
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
