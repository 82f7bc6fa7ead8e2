import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser'

/** Who may know whom: the arrows of the house. test/house/dependencies.test.ts proves that each rule can refuse. */

const npm = (...names: string[]) => `(^|/)node_modules/(${names.join('|')})(/|$)`
/** Packages that the build makes part of ours (scripts/build/bundle.ts). */
const BUNDLED = [
  '@inquirer/prompts',
  '@pdfme/pdf-lib',
  'chalk',
  'commander',
  'csv-parse',
  'eventsource-parser',
  'express',
  'fastest-levenshtein',
  'libphonenumber-js',
  'ora',
  'yaml',
  'zod',
]
const CONTRACT = '^src/[^/]+/([a-z-]*contract|catalogue|behaviour)\\.ts$'
const RULES = '^src/[^/]+/(states|rules|presets)\\.ts$'
const STORE = '^src/[^/]+/store\\.ts$'
const MEETING_PLACES = '^src/(nouns|routes|fixtures|index)\\.ts$'
const INSIDE_A_NOUN =
  '^src/(?!words/|world/|server/|client/|relay/|cli/)[^/]+/(index|store|actions|rules|routes|states|effects|seed)\\.ts$'
const STARTERS = '^src/cli/(commands/)?(start|exec|validate)\\.ts$'
const EMULATOR = [
  '^src/(world|server|client|relay|cli)/',
  MEETING_PLACES,
  '^src/[^/]+/(index|store|actions|routes)\\.ts$',
  npm('better-sqlite3', 'express'),
]

const forbidden: (IForbiddenRuleType & { name: string })[] = [
  {
    name: 'words-know-words',
    comment: 'A word is one idea without I/O. What needs the world is not a word.',
    from: { path: '^src/words/' },
    to: { pathNot: ['^src/words/', npm('zod', 'libphonenumber-js', 'fastest-levenshtein')] },
  },
  {
    name: 'contracts-know-words',
    comment:
      'The client and the CLI read contracts too, so they bring nothing of the emulator. Move what one needs to words/.',
    from: { path: CONTRACT },
    to: { path: EMULATOR },
  },
  {
    name: 'contracts-reach-words-only',
    comment: 'The same, through the files that a contract imports.',
    from: { path: CONTRACT },
    to: { path: EMULATOR, reachable: true },
  },
  {
    name: 'states-and-rules-are-pure',
    comment: 'They know words and contracts only: no clock, no SQL, no HTTP. Facts go in, a verdict comes out.',
    from: { path: '^src/([^/]+)/(states|rules)\\.ts$' },
    to: { pathNot: ['^src/words/', CONTRACT, RULES, '^src/$1/store\\.ts$'] },
  },
  {
    name: 'of-a-store-rules-know-the-types',
    comment: 'A rule may say what a row looks like, but never reads one.',
    from: { path: RULES },
    to: { path: STORE, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'a-store-is-private',
    comment: "Ask the neighbour's actions, or read facts through the world.",
    from: { path: '^src/([^/]+)(/|\\.ts$)' },
    to: { path: STORE, pathNot: '^src/$1/' },
  },
  {
    name: 'sqlite-in-stores-and-world',
    from: { path: '^src/', pathNot: ['^src/world/', STORE] },
    to: { path: npm('better-sqlite3', '@types/better-sqlite3') },
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
      'CLI, relay and client reach the emulator over HTTP, the local one too. Only start, exec and validate run one.',
    from: { path: '^src/(cli|relay|client)/', pathNot: STARTERS },
    to: { path: ['^src/(server|world)/', INSIDE_A_NOUN, MEETING_PLACES] },
  },
  {
    name: 'start-knows-the-server-only',
    comment: 'start and exec know how to start an emulator, not what is inside it.',
    from: { path: STARTERS },
    to: { path: ['^src/world/', INSIDE_A_NOUN], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'the-world-knows-no-noun',
    from: { path: '^src/world/' },
    to: { path: '^src/', pathNot: '^src/(world|words)/' },
  },
  {
    name: 'nobody-below-knows-a-door',
    comment: 'Server, CLI and relay stand on the nouns, never the other way round.',
    from: { path: '^src/', pathNot: '^src/(server/|cli/|relay/|index\\.ts$)' },
    to: { path: '^src/(server|cli|relay)/' },
  },
  {
    name: 'documents-know-contracts',
    comment: 'The documents say what the contracts say; what the emulator does behind them is not theirs to know.',
    from: { path: '^src/openapi/' },
    to: {
      path: '^src/',
      pathNot: ['^src/(openapi|words)/', '^src/world/noun\\.ts$', '^src/(api|packaged|version)\\.ts$', CONTRACT],
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
    name: 'no-orphan',
    from: { orphan: true, path: '^src/', pathNot: ['^src/index\\.ts$', '^src/cli/main\\.ts$'] },
    to: {},
  },
  { name: 'no-unresolvable', from: { path: '^src/' }, to: { couldNotResolve: true } },
  {
    name: 'only-bundled-packages',
    comment: 'What src imports becomes part of the bundle, and has to be meant to; only SQLite is installed beside it.',
    from: { path: '^src/' },
    to: { path: '(^|/)node_modules/', pathNot: npm('better-sqlite3', ...BUNDLED), dependencyTypesNot: ['type-only'] },
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
      extensions: ['.ts', '.js'],
    },
  },
} satisfies IConfiguration
