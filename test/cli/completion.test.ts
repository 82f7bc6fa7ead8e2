import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { scriptFor } from '../../src/cli/commands/completion/scripts.ts'
import { EXIT } from '../../src/cli/process/exit.ts'
import { VERSION } from '../../src/words/version.ts'
import { folder } from '../folder.ts'
import { BIN } from '../paths.ts'
import { createSandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { sandboxCommand } from './terminal.ts'

/** The completions of the last word. */
async function offered(words: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await sandboxCommand(['complete', '--', ...words], { env })
  expect([code === EXIT.ok || code === EXIT.notFound, stderr]).toEqual([true, ''])
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0]!]))
}

test('commands, flags and choices are completed without any service', async () => {
  const env = { SANDBOX_BASE_URL: 'http://localhost:1' }
  expect(await offered(['mess'], env)).toEqual(['messages'])
  expect(await offered(['messages', 'g'], env)).toEqual(['get'])
  expect(await offered(['messages', 'list', '--sta'], env)).toEqual(['--status'])
  expect(await offered(['messages', 'list', '--status', 're'], env)).toEqual(['read', 'revoked', 'received'])
  expect(await offered(['messages', 'list', '--status=rec'], env)).toEqual(['--status=received'])
  expect(await offered(['messages', 'list', '--status', 'read', '--sta'], env)).toEqual([])
  expect(await offered(['trigger', 'agent.ap'], env)).toEqual(['agent.approved'])
  expect(await offered(['start', '--world', 'low'], env)).toEqual(['low-balance'])
  expect(await offered(['messages', 'get', 'msg'], env)).toEqual([])
  expect(await offered([''], env)).toEqual(expect.arrayContaining(['start', 'send', 'messages']))
  expect(await offered([''], env)).not.toContain('complete')
  expect(await offered(['help', 'ru'], env)).toEqual(['rules', 'run'])
  expect(await offered(['help', 'exit'], env)).toEqual(['exit-codes'])
  expect(await offered(['help', 'messages', 'l'], env)).toEqual(['list'])
  expect(await offered(['api', 'GE'], env)).toEqual(['GET'])
  expect(await offered(['api', 'GET', '/v1/con'], env)).toContain('/v1/contacts')
  expect(await offered(['nosuch', ''], env)).toEqual([])
})

test('files are completed only where one may be named', async () => {
  const codeOf = async (...words: string[]) => (await sandboxCommand(['complete', '--', ...words])).code
  expect(await codeOf('send', '--batch', 'a')).toBe(EXIT.notFound)
  expect(await codeOf('send', '--batch=a')).toBe(EXIT.notFound)
  expect(await codeOf('run', 'a')).toBe(EXIT.notFound)
  expect(await codeOf('messages', 'list', '--status', 'x')).toBe(EXIT.ok)
  expect(await codeOf('nosuch', 'a')).toBe(EXIT.ok)
})

test('a value after =, the last value of a list and a quoted word are completed', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: sandbox.url }
  expect(await offered(['messages', 'list', '--status='], env)).toContain('--status=delivered')
  expect(await offered(['messages', 'list', '--status=read', '--lim'], env)).toEqual(['--limit'])
  const events = ['webhooks', 'create', '--events']
  expect(await offered([...events, 'message.queued,message.de'], env)).toEqual(['message.queued,message.delivered'])
  expect(await offered(['send', '"+49171392004'], env)).toHaveLength(4)
  expect(await offered(['"messages"', "'ge"], env)).toEqual(['get'])
})

test('existing ids, carriers and profiles are completed', async () => {
  await using sandbox = await createSandbox()
  const home = await folder()
  await mkdir(join(home, 'messaging-sandbox'))
  const profiles = { profiles: { staging: { base_url: 'https://staging.example.com' } } }
  await writeFile(join(home, 'messaging-sandbox', 'profiles.json'), JSON.stringify(profiles))
  const env = { SANDBOX_BASE_URL: sandbox.url, XDG_CONFIG_HOME: home }
  const sent = await sandboxCommand(['send', '+491713920000', '--text', 'Hello'], { env })
  expect(await offered(['messages', 'get', ''], env)).toEqual(['last', sent.json.message_id])
  expect(await offered(['send', '--agent', 'ag_draft'], env)).toEqual(['ag_draft_00000000-0000-4000-8000-000000000005'])
  expect(await offered(['carriers', 'set', 'nord'], env)).toEqual(['nordfunk'])
  expect(await offered(['send', '+49171392004'], env)).toHaveLength(4)
  expect(await offered(['status', '--profile', ''], env)).toEqual(['staging'])
  // Those of the service that the typed line names.
  await using other = await createSandbox({ world: 'empty' })
  expect(await offered(['carriers', 'set', '--base-url', other.url, 'nord'], env)).toEqual(['nordfunk'])
  expect(await offered(['messages', 'get', '--base-url', other.url, ''], env)).toEqual(['last'])
})

test('a value that a shell would split into words is not offered', async () => {
  const carriers = ['nordfunk', '$(reboot)', 'a b', 'a\u001b[2J'].map((name) => ({ name }))
  const server = createServer((_, res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'ok', carriers })),
  )
  const env = { SANDBOX_BASE_URL: await urlOf(server) }
  expect(await offered(['carriers', 'show', ''], env)).toEqual(['nordfunk'])
})

/** How a shell loads the printed script, and completes words. Skipped where the shell is not installed. */
const SHELLS: Readonly<Record<string, { load: string; complete: (words: string) => string }>> = {
  bash: {
    load: 'source <(sandbox completion bash)',
    // bash splits at = and @ as well.
    complete: (words) => `COMP_LINE="${words.replaceAll("'", '')}" COMP_POINT=\${#COMP_LINE}
      COMP_WORDS=(${words.replaceAll(/[=@]/g, ' $& ')}) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _sandbox_complete
      printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  // As its completion calls the function, without a terminal.
  zsh: {
    load: `compdef() { :; }
      _describe() { print -rl -- "\${(@P)3}" }
      _files() { print -rl -- *(N) }
      compset() { :; }
      source <(sandbox completion zsh)`,
    complete: (words) => `words=(${words}) CURRENT=$#words PREFIX=$words[-1]
      _sandbox`,
  },
  fish: {
    load: 'sandbox completion fish | source',
    complete: (words) => `complete -C (string join ' ' -- ${words})`,
  },
}

/**
 * Puts a program `sandbox` into a folder that answers as the real one does to the words of these lines, in a hundredth of the
 * time. To others it answers that it does not know them.
 */
async function standIn(bin: string, shell: string, lines: readonly string[], env: Record<string, string>) {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const answers: string[] = []
  for (const argv of [['completion', shell], ...lines.map((line) => ['complete', '--', ...line.split(' ').slice(1)])]) {
    const { code, stdout } = await sandboxCommand(argv, { env })
    answers.push(`${quoted(argv.join(' '))}) printf %s ${quoted(stdout)}; exit ${code};;`)
  }
  const program = `#!/bin/sh\ncase "$*" in\n${answers.join('\n')}\nesac\nexit ${EXIT.ok}\n`
  await writeFile(join(bin, 'sandbox'), program, { mode: 0o755 })
}

const INSTALLED = Object.keys(SHELLS).filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0)

test.each(INSTALLED)('%s completes with its script, and falls back to files', async (shell) => {
  await using sandbox = await createSandbox()
  const bin = await folder()
  await writeFile(join(bin, 'messages.csv'), '')
  const { load, complete } = SHELLS[shell]!
  const lines = [
    "sandbox agents get 'ag_draft'",
    "sandbox carriers show ''",
    'sandbox messages list --status=del',
    'sandbox inbox show bounced@san',
    // bash completes other files by itself, which this does not see.
    shell === 'bash' ? 'sandbox send --text @mess' : "sandbox send --batch 'messages.'",
  ]
  const typed = lines.map((line) => line.replaceAll("'", ''))
  await standIn(bin, shell, typed, { SANDBOX_BASE_URL: sandbox.url })
  const script = [load, ...lines.flatMap((words) => [complete(words), 'echo ---'])].join('\n')
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const { stdout } = await promisify(execFile)(shell, ['-c', script], { env, cwd: bin })
  const [agents, carriers, value, mailbox, files] = stdout
    .split('---\n')
    .map((part) => part.split('\n').map((line) => line.split(/\t|:/)[0]))
  expect(agents).toEqual(['ag_draft_00000000-0000-4000-8000-000000000005', ''])
  expect(carriers).toEqual(['nordfunk', 'rheinmobil', 'alpentel', ''])
  expect(value![0]).toBe(shell === 'bash' ? 'delivered' : '--status=delivered')
  expect(mailbox![0]).toBe(shell === 'bash' ? '@sandbox.test' : 'bounced@sandbox.test')
  expect(files).toContain(shell === 'bash' ? '@messages.csv' : 'messages.csv')
})

test.each(['node ../place/sandbox.js', '../place/node_modules/.bin/sandbox'])(
  'the script of a program called as %s names it in full, so that it completes in every folder',
  async (program) => {
    const { stdout } = await sandboxCommand(['completion', 'bash'], { program })
    expect(stdout).toContain(`${process.execPath} ${BIN} complete`)
    expect(stdout).toContain('complete -o default -F _sandbox_complete sandbox')
  },
)

test.each(INSTALLED)('%s calls a program whose path has spaces and quotes', async (shell) => {
  const bin = join(await folder(), "it's $HOME", 'node_modules', '.bin')
  await mkdir(bin, { recursive: true })
  await symlink(BIN, join(bin, 'sandbox'))
  const script = join(bin, 'script')
  const path = (process.env.PATH ?? '').split(delimiter).filter((place) => !existsSync(join(place, 'sandbox')))
  const env = { ...process.env, PATH: path.join(delimiter) }
  const { stdout } = await promisify(execFile)(process.execPath, [join(bin, 'sandbox'), 'completion', shell], { env })
  await writeFile(script, stdout)
  const lines = `compdef() { :; }; source ${JSON.stringify(script).replaceAll('$', '\\$')}; sandbox --version`
  const loaded = shell === 'fish' ? lines.slice(lines.indexOf('source')) : lines
  const called = await promisify(execFile)(shell, ['-c', loaded], { env })
  expect(called).toEqual({ stdout: expect.stringContaining(VERSION), stderr: '' })
})

test('PowerShell gets a path with spaces and quotes in single quotes', () => {
  const script = scriptFor('powershell', ['C:\\Program Files\\node.exe', "C:\\Users\\O'Brien\\bin\\sandbox.js"])
  expect(script).toContain("& 'C:\\Program Files\\node.exe' 'C:\\Users\\O''Brien\\bin\\sandbox.js' complete")
})

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'the script for %s calls this program, and never a package of that name in the registry',
  async (shell) => {
    const { code, stdout, stderr } = await sandboxCommand(['completion', shell], { program: 'npx sandbox', tty: true })
    expect(code).toBe(0)
    expect(stdout).not.toContain('npx')
    expect(stdout).toContain(`${BIN} complete`)
    expect(stdout).not.toMatch(/@(WORD|PROGRAM)@/)
    expect(stderr).toBe('')
    // It defines the word as well.
    expect(stdout.split(`${process.execPath} ${BIN}`)).toHaveLength(3)
  },
)
