import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folder } from '../folder.ts'
import { readPage, runShell } from '../page.ts'

const page = await readPage('docs/handlers.md')

/** The code block after a marker. */
function block(marker: string): string {
  const match = new RegExp(`<!-- ${marker} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page)
  if (!match) throw new Error(`docs/handlers.md has no block ${marker}`)
  return match[1]!
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts the handler of the page as the page says, on a port that is free. */
async function startHandler(): Promise<string> {
  const [dir, port] = [await folder(), String(await freePort())]
  await writeFile(join(dir, 'handler.mjs'), block('file handler.mjs'))
  const line = block('start').replace('node ', `exec ${process.execPath} `)
  const child = spawn('sh', ['-c', line], { cwd: dir, env: { ...process.env, PORT: port }, stdio: 'ignore' })
  onTestFinished(() => void child.kill())
  const url = `http://localhost:${port}/hook`
  await expect
    .poll(() =>
      fetch(url, { method: 'POST' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(401)
  return url
}

test('the handler of docs/handlers.md passes the checks of that page', async () => {
  const url = await startHandler()
  const stdout = await runShell(block('check').replaceAll('http://localhost:3000/hook', url), 'http://127.0.0.1:9')
  const documents = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(documents.map(({ failed, skipped }) => ({ failed, skipped }))).toEqual([
    { failed: 0, skipped: 1 },
    { failed: 0, skipped: 0 },
    { failed: 0, skipped: 1 },
  ])
})
