/** node scripts/tenants.ts [CALLS] [SEED] [--cluster]: with `--cluster`, calls go to another node than the victim's. */
import { parseArgs } from 'node:util'
import { startPostgres } from './cluster/postgres.ts'
import { attack } from './tenants/strangers.ts'

const { values, positionals } = parseArgs({ options: { cluster: { type: 'boolean' } }, allowPositionals: true })
const [calls = 100_000, seed = 1] = positionals.map(Number)
const server = values.cluster ? await startPostgres() : undefined
const { answered, changed, ...report } = await attack({ calls, seed, postgres: await server?.database() })
console.log(JSON.stringify({ ...report, answered: answered.length, changed }))
for (const line of answered.slice(0, 20)) console.log(line)
await server?.stop()
process.exit(answered.length + changed.length === 0 ? 0 : 1)
