import manifest from '../../package.json' with { type: 'json' }

export const VERSION: string = manifest.version

/** What the build was made from (scripts/build/baked.ts); sources that run as they are have none. */
export const BUILD = undefined as { commit: string; sqlite: string } | undefined
