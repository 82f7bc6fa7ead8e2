import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser'

/** Who may import whom: the arrows of the house. test/house/dependencies.test.ts proves that each rule can refuse. */

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
  'ora',
  'yaml',
  'zod',
]

/** From below to above; what stands beside each other does not know each other. */
const STOREYS: readonly (readonly string[])[] = [
  ['words'],
  ['world'],
  ['http'],
  ['network'],
  ['service'],
  ['controls'],
  ['registry'],
  ['openapi'],
  ['server', 'client'],
  ['relay', 'library'],
  ['cli'],
]

/** Imports that still go up, and are to be cut. */
const TO_CUT: Readonly<Record<string, string[]>> = {
  network: ['^src/network/(handsets|mailboxes|rules)/(actions|rules|store)\\.ts$', '^src/network/queue/actions\\.ts$'],
  service: [
    '^src/service/(agents|campaigns)/(routes|world-file|index)\\.ts$',
    '^src/service/events/(log|stream)\\.ts$',
    '^src/service/webhooks/',
  ],
  controls: ['^src/controls/faults/calls\\.ts$'],
}

/** Stores that a neighbour still reads. */
const READ_BY_NEIGHBOURS = [
  '^src/service/(webhooks|events)/',
  '^src/service/messages/(store|reset)\\.ts$',
  '^src/controls/(mailboxes|inbox|handsets|explain|campaigns|agents|rules|carriers)/',
]

/** A file by its kind, alone in its folder or with its topic before it: `store.ts`, `delivery.store.ts`. */
const kind = (...kinds: string[]) => `^src/.+[/.](${kinds.join('|')})\\.ts$`
const CONTRACT = kind('contract', 'catalogue', 'behaviour')
const RULES = kind('states', 'rules', 'presets')
const STORE = kind('store')
/** What only the emulator has inside, and no door but the server may see. */
const INSIDE_A_NOUN =
  '^src/(network|service|controls)/.+[/.](index|store|actions|rules|routes|states|effects|world-file)\\.ts$'
const MEETING_PLACES = '^src/registry/(nouns|registry)\\.ts$'
const STARTERS = '^src/cli/((commands/)?(start|exec)|nouns/world/validate)\\.ts$'

const forbidden: (IForbiddenRuleType & { name: string })[] = [
  ...STOREYS.flatMap((storeys, i) =>
    storeys.map((storey) => ({
      name: `${storey}-knows-what-is-below`,
      comment: 'A storey imports from the storeys below it, and never from one above or beside it; types neither.',
      from: { path: `^src/${storey}/`, pathNot: TO_CUT[storey] ?? [] },
      to: {
        path: [
          '^src/index\\.ts$',
          ...[...STOREYS.slice(i + 1).flat(), ...storeys.filter((other) => other !== storey)].map(
            (other) => `^src/${other}/`,
          ),
        ],
      },
    })),
  ),
  {
    name: 'a-word-is-pure',
    comment: 'A word is one idea without I/O. What needs the world is not a word.',
    from: { path: '^src/words/', pathNot: '^src/words/version\\.ts$' },
    to: { pathNot: ['^src/words/', npm('zod', 'fastest-levenshtein')] },
  },
  {
    name: 'contracts-reach-words-only',
    comment:
      'The client and the CLI read contracts too, so they bring nothing of the emulator. Move what one needs to words/.',
    from: { path: CONTRACT, pathNot: '^src/controls/events/contract\\.ts$' },
    to: {
      path: [
        '^src/(world|http|server|client|relay|cli)/',
        MEETING_PLACES,
        INSIDE_A_NOUN,
        npm('better-sqlite3', 'express'),
      ],
      reachable: true,
    },
  },
  {
    name: 'states-and-rules-are-pure',
    comment: 'They know words and contracts only: no clock, no SQL, no HTTP. Facts go in, a verdict comes out.',
    from: { path: '^(src/(?:network|service|controls)/.+)[/.](states|rules)\\.ts$' },
    to: { pathNot: ['^src/words/', CONTRACT, RULES, '^$1[/.]store\\.ts$', '^src/network/rules/pattern\\.ts$'] },
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
    from: { path: '^(src/[^/]+/[^/]+)(/|\\.ts$)', pathNot: [...TO_CUT.network!, ...READ_BY_NEIGHBOURS] },
    to: { path: STORE, pathNot: '^$1/' },
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
    from: { path: '^src/(cli|relay|client)/', pathNot: [STARTERS, '^src/cli/begin\\.ts$'] },
    to: { path: ['^src/(server|world)/', INSIDE_A_NOUN, MEETING_PLACES] },
  },
  {
    name: 'start-knows-the-server-only',
    comment: 'start and exec know how to start an emulator, not what is inside it.',
    from: { path: STARTERS },
    to: { path: ['^src/world/', INSIDE_A_NOUN], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'documents-know-contracts',
    comment: 'The documents say what the contracts say; what the emulator does behind them is not theirs to know.',
    from: { path: '^src/openapi/' },
    to: { path: [INSIDE_A_NOUN, MEETING_PLACES, '^src/http/'], dependencyTypesNot: ['type-only'] },
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
