import { fileURLToPath } from 'node:url'

/** The folder of the package, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const BIN = `${ROOT}bin/sandbox.js`
