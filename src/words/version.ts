import { readFileSync } from 'node:fs'

/** Of the package. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** What the build was made from (scripts/build/baked.ts); sources that run as they are have none. */
export const BUILD = undefined as { commit: string; sqlite: string } | undefined
