import { readFileSync } from 'node:fs'

/** Of the package. This file and its bundle both lie one folder below it. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
