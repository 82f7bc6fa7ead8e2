import { runProcess } from './entry.ts'

await runProcess(process.argv.slice(2))
