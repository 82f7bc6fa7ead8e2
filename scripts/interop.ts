/**
 * node scripts/interop.ts [--seed 1] [--each 12] [--bodies-only]: checks the documents against the server as
 * strangers would, with third-party programs, which are fetched from the registry of npm.
 */
import { parseArgs } from 'node:util'
import { askStrangers } from './interop/strangers.ts'
import { isRefused, ruleBeyondSchemas, type Tried, tryValidBodies } from './interop/valid-bodies.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, each: { type: 'string' }, 'bodies-only': { type: 'boolean' } },
})
const seed = Number(values.seed ?? 1)
const each = Number(values.each ?? 12)

const tried = await tryValidBodies({ seed, each })
const refused = tried.filter(isRefused)
for (const [id, ofOne] of Map.groupBy(refused, (one) => one.id)) console.log(`${id}\n${ofOne.map(tell).join('\n')}`)
for (const [part, ofPart] of Map.groupBy(tried, (one) => one.part)) {
  const bad = ofPart.filter(isRefused)
  const percent = ((100 * bad.length) / ofPart.length).toFixed(1)
  console.log(`${part}: ${bad.length} of ${ofPart.length} bodies that the document allows were refused: ${percent} %`)
  const sayable = bad.filter((one) => ruleBeyondSchemas(one) === undefined)
  const byCode = [...Map.groupBy(sayable, codeOf)].map(([code, ofCode]) => `${code} ${ofCode.length}`)
  if (sayable.length > 0) console.log(`  by rules that the document could say: ${byCode.join(', ')}`)
  for (const [rule, ofRule] of Map.groupBy(bad, ruleBeyondSchemas))
    if (rule) console.log(`  by a rule that no schema can say: ${rule}: ${ofRule.length}`)
}

if (!values['bodies-only']) {
  const findings = await askStrangers()
  const width = Math.max(...findings.map(({ tool }) => tool.length))
  console.log()
  for (const { tool, does, result, isGood } of findings)
    console.log(`${isGood ? 'ok  ' : 'FAIL'} ${tool.padEnd(width)}  ${does}: ${result}`)
  process.exitCode = findings.every(({ isGood }) => isGood) ? 0 : 1
}

function codeOf({ text }: Tried): string {
  const { details, error } = JSON.parse(text) as { error: string; details: { code: string }[] }
  return details[0]?.code ?? error
}

function tell({ body, text }: Tried): string {
  const { message } = JSON.parse(text) as { message: string }
  return `  ${message.slice(0, 160)}\n    ${JSON.stringify(body).slice(0, 200)}`
}
