import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RECIPES } from '../../src/cli/help/recipes.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { commandsIn } from './commands.ts'

const recipes = Object.values(RECIPES)
const commands = recipes.flatMap((goals) => Object.values(goals))

/** They start or end processes, follow a stream, or need another server. */
const NOT_ALONE = /^(start|stop|exec|open|listen --forward|events tail|logs --follow|verify-handler|drift|doctor)/

/** What a user brings. */
const FILES = {
  'messages.csv': 'to,text\n+491713920050,Hello\n',
  'card.json': JSON.stringify({
    rich_card: { standalone: { orientation: 'VERTICAL', content: { title: 'Order 1042', description: 'Tomorrow' } } },
  }),
  'campaign.json': JSON.stringify({
    ...{ name: 'Autumn', trigger: 'API', audience: { tag: 'vip' } },
    flow: [{ node: 'WAIT', id: 'pause', for: '24h' }],
  }),
}

test('every recipe runs as written, one after the other', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const options = { cwd: await folder(), env: { SANDBOX_BASE_URL: sandbox.url } }
  expect(commands.length).toBeGreaterThan(40)
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(options.cwd, name), text)
  for (const words of await commandsIn(commands.flat().join('\n'))) {
    const command = words.join(' ')
    const argv = NOT_ALONE.test(command) ? ['help', words[0]!] : words
    const { code, stderr } = await sandboxCommand(argv, options)
    expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({ command, code: 0, stderr: '' })
  }
})

test('the phone of the recipe for a carrier has that carrier', async () => {
  await using sandbox = await createSandbox()
  const [goal = ''] = recipes.flatMap(Object.keys).filter((name) => name.includes('to a carrier'))
  const [, phone] = /such as those to (\S+)/.exec(goal)!
  expect((await sandbox.client.handsets.show(phone!)).carrier).toBe('alpentel')
})
