import { attack } from './tenants/strangers.ts'

const [calls = 100_000, seed = 1] = process.argv.slice(2).map(Number)
const { answered, changed, ...report } = await attack({ calls, seed })
console.log(JSON.stringify({ ...report, answered: answered.length, changed }))
for (const line of answered.slice(0, 20)) console.log(line)
process.exit(answered.length + changed.length === 0 ? 0 : 1)
