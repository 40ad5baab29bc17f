import { basename, extname } from 'node:path';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** Media types of documents, with the endings of their names. */
const ENDINGS: readonly (readonly [mediaType: string, endings: string])[] = [
  ['text/markdown', 'md markdown'],
  ['text/plain', 'txt text'],
  ['text/html', 'html htm xhtml'],
  ['application/pdf', 'pdf'],
  [`${OFFICE}.wordprocessingml.document`, 'docx docm dotx'],
  [`${OFFICE}.spreadsheetml.sheet`, 'xlsx xlsm xltx'],
  [`${OFFICE}.presentationml.presentation`, 'pptx pptm potx ppsx'],
  [`${OPEN_DOCUMENT}.text`, 'odt ott'],
  [`${OPEN_DOCUMENT}.spreadsheet`, 'ods ots'],
  [`${OPEN_DOCUMENT}.presentation`, 'odp otp'],
  ['application/rtf', 'rtf'],
  ['application/epub+zip', 'epub'],
  // Text with the ending of old Excel files is what many programs export.
  ['text/csv', 'csv xls'],
  ['text/tab-separated-values', 'tsv tab'],
  ['application/json', 'json json5 jsonc jsonld geojson webmanifest ipynb har'],
  ['application/x-ndjson', 'jsonl ndjson'],
  ['application/yaml', 'yaml yml'],
  ['application/toml', 'toml'],
  ['application/xml', 'xml xsd xsl xslt wsdl rss atom plist'],
  ['image/svg+xml', 'svg'],
  ['text/x-log', 'log'],
  ['text/calendar', 'ics'],
  ['text/vcard', 'vcf'],
  ['text/vtt', 'vtt'],
  ['application/x-subrip', 'srt'],
  ['message/rfc822', 'eml'],
  [
    'text/x-source',
    'js mjs cjs jsx ts mts cts tsx vue svelte css scss sass less php py pyi rb pl pm lua r jl sh bash zsh fish ps1 bat cmd go rs java kt kts ' +
      'groovy gradle scala clj cljs c h cc cpp cxx hh hpp hxx m mm cs fs vb swift dart ex exs erl hs ml mli elm nim zig d pas f90 asm s sol sql ' +
      'graphql gql proto thrift tf hcl cmake mk dockerfile ini cfg conf properties env editorconfig diff patch',
  ],
];
const TYPES: ReadonlyMap<string, string> = new Map(
  ENDINGS.flatMap(([type, endings]) => endings.split(' ').map((ending) => [ending, type])),
);
/** The media types that `documentTypeOf` tells. */
export const DOCUMENT_TYPES: ReadonlySet<string> = new Set(ENDINGS.map(([type]) => type));
/** The endings of their names, with the dot. */
export const DOCUMENT_EXTENSIONS: readonly string[] = [...TYPES.keys()].map((ending) => `.${ending}`);
const SOURCE_NAMES =
  /^(?:dockerfile|containerfile|makefile|gnumakefile|rakefile|gemfile|procfile|jenkinsfile|vagrantfile|\.[a-z]{2,20}(?:rc|ignore|config)|\.env(?:\..*)?)$/i;

/** The media type that the name of a document stands for; undefined when its ending is unknown or missing. */
export function documentTypeOf(name: string): string | undefined {
  if (SOURCE_NAMES.test(basename(name))) return 'text/x-source';
  // Old logs are numbered: "server.log.1".
  if (/\.log\.\d{1,4}$/i.test(name)) return 'text/x-log';
  return TYPES.get(extname(name).toLowerCase().replace('.', ''));
}
