import { expect, test } from 'vitest'
import { shellPath } from '../../src/words/shell.ts'

test.each([
  ['failed/default/world.snapshot', 'failed/default/world.snapshot'],
  ['my failures/a test.snapshot', '"my failures/a test.snapshot"'],
  ["O'Brien/world.yaml", `"O'Brien/world.yaml"`],
  ['C:\\Users\\ada\\.env', 'C:\\Users\\ada\\.env'],
  ['C:\\Program Files\\.env', '"C:\\Program Files\\.env"'],
  ['$HOME/world.yaml', "'$HOME/world.yaml'"],
])('a printed command has the path %s as %s', (path, word) => {
  expect(shellPath(path)).toBe(word)
})
