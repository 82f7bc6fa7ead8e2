import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser'

/** The dependency rules of src. test/house/dependencies.test.ts proves that each rule can refuse. */

const npm = (...names: string[]) => `(^|/)node_modules/(${names.join('|')})(/|$)`
/** Packages that the build bundles (scripts/build/bundle.ts). */
const BUNDLED = [
  '@inquirer/prompts',
  '@jmespath-community/jmespath',
  '@preact/signals',
  '@pdfme/pdf-lib',
  'better-sqlite3',
  'chalk',
  'commander',
  'csv-parse',
  'csv-stringify',
  'eventsource-parser',
  'express',
  'fastest-levenshtein',
  'htmlparser2',
  'ora',
  'pg',
  'preact',
  'string-width',
  'yaml',
  'zod',
]

/** Test runners, which users install themselves. */
const RUNNERS = ['vitest', '@jest/globals', '@playwright/test']

/**
 * The layers from the lowest to the highest, with what each contains. Folders of one row do not import each other.
 * `npm run docs` writes them into ARCHITECTURE.md.
 */
export const LAYERS: readonly Readonly<Record<string, string>>[] = [
  { words: 'one idea per file, without I/O: operation, machine, problem, money, duration, phone …' },
  { world: 'one isolated state: time, storage, world files, lifecycle, snapshots; and all worlds of a process' },
  { http: 'one HTTP exchange; used by webhooks, client and relay' },
  {
    waiting:
      'waiting until something holds: time limits, clocks that rest, expected events, patterns with a time limit',
  },
  { network: 'what decides the outcome of a dispatched message: carriers, handsets, mailboxes, rules, queue' },
  { service: 'the nouns of the interface: messages, contacts, consent, agents, campaigns, billing, webhooks …' },
  { display: 'how phones and mail clients show a message, and what they drop: preview, lint, toPassLint()' },
  { controls: 'the nouns under /_sandbox: clock, carriers, handsets, rules, faults, triggers, explain …' },
  { registry: 'the list of nouns' },
  { openapi: 'the OpenAPI documents and the pages at /docs' },
  {
    server: 'HTTP in: keys, limits, one request',
    client: 'HTTP out: the typed client, made from the contracts',
    receiving: 'for receivers of webhooks: verifySignature() and parseEvent(), without the emulator',
  },
  { evidence: 'what a failed test leaves: its page and its world' },
  {
    relay: 'listen: events to a local server',
    library: 'createSandbox(): an emulator inside a test process',
    inspector: 'the page at /, which runs in a browser and speaks HTTP',
  },
  { runners: 'the library inside Vitest, Jest, node:test and Playwright: a world for each test, matchers' },
  { scenarios: 'scenario files: read, run, record; drift between a service and the emulator' },
  { handlers: "checks of a user's webhook handler: verify-handler and explore" },
  { cli: 'sandbox …: commands, output for people and for scripts' },
]
const ORDER = LAYERS.map((row) => Object.keys(row))

/** Where nouns live, each in a folder. */
const NOUN = '^src/(network|service|controls)/([^/]+)/'

/** A file by its kind, alone in its folder or with its topic before it: `store.ts`, `delivery.store.ts`. */
const kind = (...kinds: string[]) => `^src/.+[/.](${kinds.join('|')})\\.ts$`
const CONTRACT = kind('contract', 'catalogue', 'behaviour', 'table')
const RULES = kind('states', 'rules', 'presets')
const STORE = kind('store')
/** What only the emulator has inside. */
const INSIDE = kind('index', 'store', 'actions', 'rules', 'effects', 'world-file')

/** Reads files that come with the package. */
const PACKAGED = '^src/world/file/(packaged|standalone-page)\\.ts$'
/** Makes folders and files that only their user reads. */
const PRIVATE = '^src/world/storage/(make-folder|private|own-files)\\.ts$'
/** Reads texts, and knows no world. */
const YAML = '^src/world/file/yaml\\.ts$'
const STARTERS = '^src/(library/|cli/(commands/(start|exec|world/validate)|own-emulator)/)'

const forbidden: (IForbiddenRuleType & { name: string })[] = [
  ...ORDER.flatMap((layers, i) =>
    layers.map((layer) => ({
      name: `${layer}-knows-what-is-below`,
      comment: 'A layer imports from the layers below it, and never from one above or beside it; types neither.',
      from: { path: `^src/${layer}/` },
      to: {
        path: [
          '^src/index\\.ts$',
          ...[...ORDER.slice(i + 1).flat(), ...layers.filter((other) => other !== layer)].map(
            (other) => `^src/${other}/`,
          ),
        ],
      },
    })),
  ),
  {
    name: 'every-folder-is-a-layer',
    comment: 'A folder outside of LAYERS could import anything.',
    from: { path: '^src/[^/]+/', pathNot: `^src/(${ORDER.flat().join('|')})/` },
    to: {},
  },
  {
    name: 'a-word-is-pure',
    comment: 'A word is one idea without I/O. What needs the world is not a word.',
    from: { path: '^src/words/' },
    to: { pathNot: ['^src/words/', '^package\\.json$', npm('zod', 'fastest-levenshtein', 'htmlparser2')] },
  },
  {
    name: 'contracts-reach-words-only',
    comment:
      'The client and the CLI read contracts too, so they bring nothing of the emulator. Move what one needs to words/.',
    from: { path: CONTRACT },
    to: {
      path: ['^src/(?!words/|network/|service/|controls/)', INSIDE, npm('better-sqlite3', 'express')],
      reachable: true,
    },
  },
  {
    name: 'states-and-rules-are-pure',
    comment: 'They know words and contracts only: no clock, no SQL, no HTTP. Facts go in, a verdict comes out.',
    from: { path: `${NOUN}.*\\b(states|rules|presets)\\.ts$` },
    to: { pathNot: ['^src/words/', CONTRACT, RULES, '^src/$1/$2/.*\\bstore\\.ts$'] },
  },
  {
    name: 'of-a-store-rules-know-the-types',
    comment: 'A rule may say what a row looks like, but never reads one.',
    from: { path: RULES },
    to: { path: STORE, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'a-store-is-private',
    comment: "Ask the neighbour's actions.",
    from: { path: '^(src/[^/]+/[^/]+)(/|\\.ts$)' },
    to: { path: STORE, pathNot: '^$1/' },
  },
  {
    name: 'sqlite-in-stores-and-world',
    from: { path: '^src/', pathNot: ['^src/world/', STORE] },
    to: { path: npm('better-sqlite3', '@types/better-sqlite3') },
  },
  {
    name: 'postgres-in-the-cluster',
    from: { path: '^src/', pathNot: '^src/world/cluster/' },
    to: { path: npm('pg', '@types/pg') },
  },
  {
    name: 'express-in-the-server',
    from: { path: '^src/', pathNot: '^src/server/' },
    to: { path: npm('express', '@types/express', '@types/express-serve-static-core') },
  },
  {
    name: 'the-terminal-in-the-cli',
    from: { path: '^src/', pathNot: '^src/cli/' },
    to: { path: npm('chalk', 'ora', '@inquirer/[^/]+', 'commander') },
  },
  {
    name: 'the-cli-speaks-http',
    comment:
      'CLI, relay and client reach the emulator over HTTP, the local one too. Only start, exec and validate import one.',
    from: { path: '^src/(cli|scenarios|relay|client|runners)/', pathNot: STARTERS },
    to: {
      path: '^src/(world|network|service|controls|registry|server)/',
      pathNot: [CONTRACT, PACKAGED, PRIVATE, YAML, '^src/registry/api\\.ts$'],
    },
  },
  {
    name: 'the-inspector-runs-in-a-browser',
    comment:
      'What it imports is small and pure: words, addresses of operations, state tables. Everything else is types.',
    from: { path: '^src/inspector/' },
    to: {
      path: '^src/',
      pathNot: [
        '^src/(inspector|words|display/(handset|mail))/',
        '^src/client/(operations|pages)\\.ts$',
        '^src/controls/triggers/table\\.ts$',
        '^src/service/events/subscriptions\\.ts$',
        '^src/controls/evidence/item\\.ts$',
        kind('states', 'rules'),
      ],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'start-knows-the-server-only',
    comment: 'The library, start and exec know how to start an emulator, not what is inside it.',
    from: { path: STARTERS },
    to: {
      path: '^src/(world|network|service|controls|registry)/',
      pathNot: [CONTRACT, PRIVATE],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'a-runner-in-its-face',
    comment: 'What all runners share imports none of them, so that one is used without the others.',
    from: { path: '^src/', pathNot: '^src/runners/(vitest|jest|playwright)\\.ts$' },
    to: { path: npm(...RUNNERS) },
  },
  {
    name: 'documents-know-contracts',
    comment: 'The documents say what the contracts say; what the emulator does behind them is not theirs to know.',
    from: { path: '^src/openapi/' },
    to: {
      path: '^src/(world|http|network|service|controls|registry)/',
      pathNot: [CONTRACT, PACKAGED, '^src/world/noun\\.ts$', '^src/registry/api\\.ts$'],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'no-circle',
    comment: 'Types may refer to each other; what runs may not.',
    from: { path: '^src/' },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'no-file-circle',
    comment:
      'Types neither: move what two files share below both. A world, its nouns and its host are types of each other.',
    from: { path: '^src/', pathNot: '^src/world/' },
    to: { circular: true },
  },
  {
    name: 'no-folder-circle',
    comment: 'The folders of a layer have an order too: merge them, move what ties them, or hand it in.',
    scope: 'folder',
    from: { path: '^src/' },
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    from: {
      orphan: true,
      path: '^src/',
      pathNot: [
        '^src/index\\.ts$',
        '^src/cli/main\\.ts$',
        '^src/receiving/index\\.ts$',
        '^src/runners/(vitest|jest|node-test|playwright)\\.ts$',
        '^src/inspector/(main\\.tsx|preview\\.tsx|css\\.d\\.ts|mailbox/frame\\.ts)$',
      ],
    },
    to: {},
  },
  { name: 'no-unresolvable', from: { path: '^src/' }, to: { couldNotResolve: true } },
  {
    name: 'only-bundled-packages',
    comment: 'What src imports becomes part of the bundle, and has to be meant to.',
    from: { path: '^src/' },
    to: {
      path: '(^|/)node_modules/',
      pathNot: npm(...BUNDLED, ...RUNNERS),
      dependencyTypesNot: ['type-only'],
    },
  },
]

export default {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no JavaScript API yet. swc reads the sources instead, type-only imports included.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
} satisfies IConfiguration
