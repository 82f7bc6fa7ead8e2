/** node scripts/interop.ts [--seed 1] [--each 12]: holds the documents against the server as strangers would. */
import { parseArgs } from 'node:util'
import { isRefused, type Tried, tryValidBodies } from './interop/valid-bodies.ts'

const { values } = parseArgs({ options: { seed: { type: 'string' }, each: { type: 'string' } } })
const seed = Number(values.seed ?? 1)
const each = Number(values.each ?? 12)

const tried = await tryValidBodies({ seed, each })
const refused = tried.filter(isRefused)
for (const [id, ofOne] of Map.groupBy(refused, (one) => one.id)) console.log(`${id}\n${ofOne.map(tell).join('\n')}`)
for (const [part, ofPart] of Map.groupBy(tried, (one) => one.part)) {
  const bad = ofPart.filter(isRefused).length
  const percent = ((100 * bad) / ofPart.length).toFixed(1)
  console.log(`${part}: ${bad} of ${ofPart.length} bodies that the document allows were refused: ${percent} %`)
}

function tell({ body, said }: Tried): string {
  const { message } = JSON.parse(said) as { message: string }
  return `  ${message.slice(0, 160)}\n    ${JSON.stringify(body).slice(0, 200)}`
}
