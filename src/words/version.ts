import manifest from '../../package.json' with { type: 'json' }

export const VERSION: string = manifest.version

/** Filled in by the build (scripts/build/baked.ts); undefined in a checkout. */
export const BUILD = undefined as { commit: string; sqlite: string } | undefined
