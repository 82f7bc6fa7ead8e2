import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { GROUPS, survives } from '../../scripts/bench/receivers.ts'

const { receivers }: { receivers: Record<string, unknown> } = await import(
  new URL('../../fixtures/handlers/receivers.mjs', import.meta.url).href
)
const [, table = ''] = /<!-- bench: receivers -->([\s\S]*)<!-- end of receivers -->/.exec(
  await readFile('docs/handlers.md', 'utf8'),
)!
const [heading, , ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.slice(2, -2).split(' | '))
const cells = new Map(rows.map(([name, ...of]) => [name!, of]))

test('the table of docs/handlers.md has every receiver and every group of disturbances', () => {
  expect(heading!.slice(1)).toEqual(Object.keys(GROUPS))
  expect([...cells.keys()]).toEqual(Object.keys(receivers))
})

/** One receiver of each kind; `npm run bench -- receivers` measures all of them. */
test.concurrent.for([
  ['Verify the raw body, work, answer', 'repeated'],
  ['Verify the raw body, work, answer', 'forged, unusual, unknown'],
  ['Answer, then work from a queue in memory; ids with a unique key', 'restart'],
  ['Insert the id and work in one transaction', 'repeated'],
  ['Insert the id and work in one transaction', 'disordered'],
] as const)('"%s" is in the column "%s" what the explorer finds', async ([name, group], { expect }) => {
  const cell = cells.get(name)![Object.keys(GROUPS).indexOf(group)]
  expect(cell).toBe((await survives(name, GROUPS[group])) ? 'yes' : '**no**')
})
