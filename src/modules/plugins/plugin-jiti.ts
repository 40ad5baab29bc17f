import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Jiti, JitiOptions } from 'jiti';

type Require = NodeJS.Require;

/** Loaders for files that jiti does not compile, as jiti's own entry passes them to its core. */
interface Natives {
  readonly onError: (error: Error) => never;
  readonly nativeImport: (id: string | URL) => Promise<unknown>;
  readonly createRequire: (from: string | URL) => Require;
}

const jitiRequire = createRequire(createRequire(import.meta.url).resolve('jiti/package.json'));
const core = jitiRequire('./dist/jiti.cjs') as (id: string, options: JitiOptions, natives: Natives) => Jiti;

/**
 * Creates a jiti that compiles every file of a plugin, regardless of its extension. By default, jiti leaves `.mjs`, `.cjs` and the `.js`
 * files of ES packages to Node.js, which caches them for the life of the process and does not apply aliases, so that such a plugin could
 * not be reloaded. Packages in node_modules are left to Node.js.
 */
export function pluginJiti(entry: string, folder: string, options: JitiOptions): Jiti {
  const isOwn = (file: string): boolean => file.startsWith(folder + sep) && !file.slice(folder.length).includes(`${sep}node_modules${sep}`);
  // jiti compiles the files that the native loaders reject.
  const refuse = (file: string): void => {
    if (isOwn(file)) throw new Error(`${file} is a plugin's file`);
  };
  return core(
    entry,
    { ...options, transform: (source) => (jitiRequire('./dist/babel.cjs') as NonNullable<JitiOptions['transform']>)(source) },
    {
      onError: (error) => {
        throw error;
      },
      nativeImport: async (id) => {
        const file = String(id).startsWith('file:') ? fileURLToPath(id) : String(id);
        refuse(file);
        return import(String(id)) as Promise<unknown>;
      },
      createRequire: (from) => {
        const require = createRequire(from);
        const checked = (id: string): unknown => {
          refuse(id);
          return require(id) as unknown;
        };
        return Object.assign(checked, {
          resolve: require.resolve,
          cache: require.cache,
          extensions: require.extensions,
          main: require.main,
        });
      },
    },
  );
}
