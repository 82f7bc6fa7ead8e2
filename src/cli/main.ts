import { begin } from './begin.ts'

await begin(process.argv.slice(2))
