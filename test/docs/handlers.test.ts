import { execFile, spawn } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { folder } from '../folder.ts'
import { blockOf, readPage, runPrograms, runShell } from '../page.ts'

const page = await readPage('docs/handlers.md')

const block = (marker: string) => blockOf(page, marker)

/** The handler of the page in a folder, with a port that is free. */
async function handlerFile() {
  const [dir, port] = [await folder(), String(await freePort())]
  await writeFile(join(dir, 'handler.mjs'), block('file handler.mjs'))
  return { dir, port, here: (lines: string) => lines.replaceAll(':3000', `:${port}`) }
}

test('the handler of docs/handlers.md passes what that page asks of it', async () => {
  const { dir, port, here } = await handlerFile()
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
  const stdout = await runShell(here(block('check')), 'http://127.0.0.1:9')
  const documents = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
  expect(documents).toMatchObject([
    { failed: 0, skipped: 1 },
    { failed: 0, skipped: 0 },
    { failed: 0, skipped: 1 },
    { schedules: 30, failure: null },
  ])
})

test('what docs/handlers.md says is still wrong with it is found when it can be restarted', async () => {
  const { dir, port, here } = await handlerFile()
  const lines = `export PORT=${port} PATH="${dirname(process.execPath)}:$PATH"\ncd "${dir}"\n${here(block('restart'))}`
  const error = await runShell(lines, 'http://127.0.0.1:9').catch((ended) => ended)
  expect(error).toMatchObject({ code: 7 })
  const { failure } = JSON.parse(error.stdout)
  expect(page).toContain(failure.story)
  expect(page).toContain(`--seed ${failure.seed}`)
  const again = lines.replace(here(block('restart')), here(block('again')))
  expect(await runShell(again, 'http://127.0.0.1:9').catch(({ code }) => code)).toBe(7)
  await expect(vitestIn(dir, port)).rejects.toMatchObject({ stdout: expect.stringContaining(failure.findings[0].code) })
}, 180_000)

/** As in a project of a user, where the package is installed. */
async function vitestIn(dir: string, port: string) {
  await mkdir(join(dir, 'node_modules'))
  const root = fileURLToPath(new URL('../../', import.meta.url))
  await symlink(root, join(dir, 'node_modules/messaging-sandbox'))
  await symlink(join(root, 'node_modules/vitest'), join(dir, 'node_modules/vitest'))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const env = {
    ...process.env,
    PORT: port,
    VITEST: undefined,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  }
  return promisify(execFile)(process.execPath, [vitest, 'run', '--root', dir], { cwd: dir, env })
}

test('the flow of one’s own in docs/handlers.md has ten lines, and is explored', async () => {
  const lines = block('own flow')
  expect(lines.trim().split('\n').length).toBeLessThanOrEqual(10)
  const names = new Set<string>()
  const { failure, coverage } = await explore({
    ...{ flows: [flowOf(lines, 'moved.yaml')], disturbances: ['duplicate'], truth: () => ({ sessions: {} }) },
    handler: ({ body }) => void names.add(JSON.parse(body).event),
  })
  expect(failure).toBeNull()
  expect([...names]).toEqual(['contact.created', 'contact.updated', 'contact.deleted'])
  expect(coverage.single_disturbances).toEqual({ played: 3, of: 3 })
})

test('the tests with explore() and audit() in docs/handlers.md print what the page says', async () => {
  const [explored, audited] = await runPrograms([block('explore in a test'), block('audit in a test')])
  expect(explored).toMatch(/^forgery-accepted \d+$/)
  expect(audited).toBe("[ 'no-idempotency-key' ]")
})
