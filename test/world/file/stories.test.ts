import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { problems } from '../../../src/words/problem.ts'
import { WORLD_NAMES } from '../../../src/words/worlds.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { createSandbox } from '../../sandbox.ts'

const FOLDER = fileURLToPath(new URL('../../../fixtures/worlds/', import.meta.url))

/** The comment at the start of a world file. */
const headOf = (name: string) => /^(#.*\n)+/.exec(readFileSync(`${FOLDER}${name}.yaml`, 'utf8'))![0]

/** `#   $ sandbox send … # queued`: a command and the expected text of its answer. */
const storyOf = (name: string) =>
  [...headOf(name).matchAll(/^# {3}\$ sandbox (.*?)(?: {2}# (.*))?$/gm)].map(([, command, expected]) => ({
    command: command!,
    expected: expected ?? '',
  }))

const wordsOf = (command: string) => command.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''))

test('WORLD_NAMES lists the worlds in the folder of the package', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'))
  expect(files.toSorted()).toEqual(WORLD_NAMES.map((name) => `${name}.yaml`).toSorted())
})

test.each(WORLD_NAMES)('the world %s behaves as each line of its comment describes', async (name) => {
  await using sandbox = await createSandbox({ world: name })
  const story = storyOf(name)
  expect(story.length).toBeGreaterThan(5)
  const ids: Record<string, string> = {}
  for (const { command, expected } of story) {
    const argv = wordsOf(command).map((word) => ids[word] ?? word)
    const { code, stdout, stderr } = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
    const answer = stdout + stderr
    expect(`${command}\n${answer}`).toContain(expected)
    expect(code !== 0, `${command}: exit ${code}\n${answer}`).toBe(expected in problems)
    ids.AGENT = /ag_draft_[0-9a-f-]{36}/.exec(answer)?.[0] ?? ids.AGENT!
    ids.RECORD = /cr_[0-9a-f-]{36}/.exec(answer)?.[0] ?? ids.RECORD!
  }
})

test.each(WORLD_NAMES)('the comment of %s describes its purpose and its use', (name) => {
  const [schema, ...lines] = headOf(name).split('\n')
  expect(schema).toBe('# yaml-language-server: $schema=./schema.json')
  expect(lines.join(' ').length).toBeGreaterThan(200)
})
