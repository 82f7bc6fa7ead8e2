import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { type CommandTree, leavesOf } from '../../src/cli/help/tree.ts'
import { createProgram } from '../../src/cli/program.ts'
import type { Run } from '../../src/cli/session/session.ts'
import { sandboxCommand } from './terminal.ts'

const { json } = await sandboxCommand(['commands', '--json'])
const tree = json as unknown as CommandTree
const program = await createProgram([], { io: {}, output: {}, exit: 0 } as unknown as Run)

test('the tree has every command that does something', () => {
  const paths = (command: Command, path: readonly string[] = []): string[] =>
    command.commands.length === 0
      ? [path.join(' ')]
      : program
          .createHelp()
          .visibleCommands(command)
          .flatMap((inner) => paths(inner as Command, [...path, inner.name()]))
  const names = tree.commands.map(({ command }) => command)
  expect(paths(program).filter((path) => !names.includes(path))).toEqual([])
  expect(names).toContain('logs')
  expect(names).not.toContain('complete')
  expect(leavesOf(program)).toHaveLength(names.length)
})

test('the tree describes arguments, effect and exit codes of each command', () => {
  const find = (name: string) => tree.commands.find(({ command }) => command === name)!
  expect(find('messages get')).toMatchObject({
    group: 'messaging',
    arguments: [{ name: 'message', required: true }],
    effect: 'reads',
    needs: 'service',
    exit_codes: [0, 1, 2, 3, 4, 5, 6, 10, 11, 130],
  })
  expect(find('contacts delete')).toMatchObject({ effect: 'destroys', exit_codes: expect.arrayContaining([9]) })
  expect(find('world reset')).toMatchObject({ effect: 'destroys', needs: 'sandbox' })
  expect(find('trigger')).toMatchObject({ effect: 'writes', needs: 'sandbox' })
  expect(find('expect').exit_codes).toEqual(expect.arrayContaining([7, 8]))
  expect(find('doctor')).toMatchObject({ needs: 'nothing' })
  const option = (name: string, long: string) => find(name).options.find(({ option }) => option === long)
  expect(option('listen', '--secret')).toMatchObject({ env: ['SANDBOX_WEBHOOK_SECRET'], type: 'text' })
  expect(option('listen', '--timeout')).toMatchObject({ type: 'duration', default: '5s' })
  expect(option('start', '--port')).toMatchObject({ type: 'number', default: 7270 })
  expect(option('preview', '--as')).toMatchObject({ type: 'choice', choices: ['android', 'ios'] })
  expect(option('send', '--var')).toMatchObject({ type: 'pair', repeatable: true })
  expect(option('send', '--content')).toMatchObject({ type: 'file' })
  expect(option('send', '--content-json')).toMatchObject({ type: 'json' })
})

test('the first example of a command is its own, unless it needs another command before', () => {
  const isOwn = (line: string, command: string) => line.includes(` ${command.split(' ').at(-1)}`)
  const others = tree.commands.filter(({ command, examples: [first = command] }) => !isOwn(` ${first}`, command))
  expect(others.map(({ command }) => command)).toEqual(['test-agent verify'])
})

test('the common options are listed once, and each command lists which of them it has', () => {
  expect(tree.common_options).toHaveLength(17)
  expect(tree.common_options.find(({ option }) => option === '--base-url')?.env).toEqual(['SANDBOX_BASE_URL'])
  const { options, common } = tree.commands.find(({ command }) => command === 'messages list')!
  expect(common).toHaveLength(17)
  expect(options.map(({ option }) => option)).not.toContain('--base-url')
})

test('every command has facts, a group of help and a short summary', () => {
  for (const { command, summary, group } of tree.commands) {
    expect(summary, command).toMatch(/^[A-Z].{5,70}[^.]$/)
    expect(['messaging', 'watching', 'simulating', 'testing', 'managing'], command).toContain(group)
  }
})

test('the commands are a list, also in a pipe, unless a format is chosen', async () => {
  const { code, stdout } = await sandboxCommand(['commands'], { tty: true })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ {2}contacts delete +Delete/m)
  expect((await sandboxCommand(['commands'])).stdout).toBe(stdout)
  for (const format of [['--json'], ['--output', 'json'], ['--query', '@']])
    expect((await sandboxCommand(['commands', ...format])).json).toHaveProperty('common_options')
})
