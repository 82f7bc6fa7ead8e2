import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../scripts/free-port.ts'
import { composeFaults } from '../compose.ts'
import { folder } from '../folder.ts'
import { runShell } from '../page.ts'

const CI = fileURLToPath(new URL('../../fixtures/ci/', import.meta.url))
const GITLAB = fileURLToPath(import.meta.resolve('gitlab-ci-local'))
const read = (file: string) => readFile(join(CI, file), 'utf8')

/** The suite of a project, as far as a pipeline sees it. */
const SUITE = `
const { SANDBOX_BASE_URL, SANDBOX_API_KEY } = process.env
const headers = { Authorization: 'Bearer ' + SANDBOX_API_KEY }
const { status } = await fetch(SANDBOX_BASE_URL + '/v1/billing/balance', { headers })
console.log('the suite has seen', status)
`

/** Runs the lines of a job in the folder of a project. Nothing is installed; npx runs the command of this checkout. */
async function runJob(lines: readonly string[], variables: Record<string, string> = {}): Promise<string> {
  const [dir, port] = [await folder(), String(await freePort())]
  await writeFile(join(dir, 'suite.mjs'), SUITE)
  await writeFile(join(dir, 'npm'), '#!/bin/sh\n[ "$1" = ci ] || exec node suite.mjs\n', { mode: 0o755 })
  const exported = Object.entries(variables).map(([name, value]) => `export ${name}=${value}`)
  const head = [`cd "${dir}"`, `export PATH="${dir}:${join(process.execPath, '..')}:$PATH"`, ...exported]
  const text = [...head, ...lines].join('\n')
  return runShell(text.replaceAll(':7270', `:${port}`).replace('start --detach', `start --detach --port ${port}`), '')
}

/** GitHub's parser imports JSON in a way that bundlers accept and Node does not. */
async function workflowParser(): Promise<typeof import('@actions/workflow-parser')> {
  const outfile = join(await folder(), 'parser.cjs')
  const entryPoints = [fileURLToPath(import.meta.resolve('@actions/workflow-parser'))]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'cjs' })
  return import(outfile)
}

interface Workflow {
  jobs: Record<string, { env?: Record<string, string>; steps: { run?: string }[] }>
}

const workflowJobs = async () => (parse(await read('github-actions.yml')) as Workflow).jobs
const linesOf = ({ steps }: Workflow['jobs'][string]) => steps.flatMap(({ run }) => run ?? [])

test('the workflow for GitHub Actions is valid, and its job in one command passes', async () => {
  const content = await read('github-actions.yml')
  const { NoOperationTraceWriter, parseWorkflow } = await workflowParser()
  const faultsIn = (text: string) =>
    parseWorkflow({ name: 'test.yml', content: text }, new NoOperationTraceWriter()).context.errors.getErrors()
  expect(faultsIn(content)).toEqual([])
  expect(faultsIn(`${content}more: {}\n`)).not.toEqual([])
  expect(await runJob(linesOf((await workflowJobs()).exec!))).toContain('the suite has seen 200')
})

interface Pipeline {
  default: { before_script: string[] }
  exec: { script: string[] }
  start: { script: string[]; after_script: string[]; variables: Record<string, string> }
}

test('the pipeline for GitLab CI is valid, has the commands of the workflow, and its job with a started sandbox passes', async () => {
  const dir = await folder()
  await cp(join(CI, 'gitlab-ci.yml'), join(dir, '.gitlab-ci.yml'))
  const run = promisify(execFile)
  await run('git', ['init', '-q', dir])
  const { stdout } = await run(process.execPath, [GITLAB, '--list-csv'], { cwd: dir })
  expect(stdout).toMatch(/^exec;.*\nstart;/m)
  const { default: all, exec, start } = parse(await read('gitlab-ci.yml')) as Pipeline
  const lines = [...start.script, ...start.after_script]
  const github = await workflowJobs()
  expect(['npm ci', ...exec.script]).toEqual(linesOf(github.exec!))
  // There steps for a failure have conditions of their own.
  expect(['npm ci', ...lines.map((line) => line.replace(/^\[ .* \] \|\| /, ''))]).toEqual(linesOf(github.start!))
  expect(start.variables).toEqual(github.start!.env)
  const printed = await runJob([...all.before_script, ...lines], start.variables)
  expect(printed).toContain('the suite has seen 200')
  // The job has no status here, so it counts as failed.
  expect(printed).toContain('sandbox-failed/sandbox.html')
})

interface Services {
  services: { sandbox: { command: string[]; environment: Record<string, string>; healthcheck: { test: string[] } } }
}

test('compose.yaml is valid, and its sandbox answers the other services', async () => {
  const content = parse(await read('compose.yaml')) as Services
  expect(composeFaults(content)).toEqual([])
  expect(composeFaults({ services: { sandbox: { command: 1 } } })).not.toEqual([])
  const { command, environment, healthcheck } = content.services.sandbox
  const token = environment.SANDBOX_CONTROL_TOKEN!.replace(/^.*:-|}$/g, '')
  const [, ...check] = healthcheck.test
  const url = 'http://localhost:7270'
  const printed = await runJob(
    [
      `npx sandbox ${command.join(' ').replace('start', 'start --detach').replace('/data', 'data')}`,
      `npx ${check.join(' ')} --base-url ${url}`,
      `curl -sf -H "Host: sandbox:7270" -H "X-Sandbox-Token: ${token}" ${url}/_sandbox/clock`,
      `npx sandbox webhooks create --url ${url}/hook --events "*" --query id > id.json`,
      'npx sandbox webhooks test $(sed s/[^0-9a-f-]//g id.json) || true',
      'npx sandbox stop --data data',
    ],
    { SANDBOX_CONTROL_TOKEN: token },
  )
  expect(printed).toContain('"status":"ok"')
  expect(printed).toContain('"mode":"real"')
  // The receiver, here the sandbox itself, has a private address, like those of other containers.
  expect(printed).toContain('"status_code":404')
})

test('the image starts the sandbox like the systemd unit, with the built binary', async () => {
  const text = await read('Dockerfile')
  const { services } = parse(await read('compose.yaml')) as Services
  const [, cmd] = /^CMD (.*)$/m.exec(text)!
  expect(services.sandbox.command).toEqual([
    ...(JSON.parse(cmd!) as string[]),
    '--no-rate-limit',
    '--allow-webhook-targets',
  ])
  const { targets } = await import('../../scripts/binary/targets.ts')
  expect(targets.map(({ name }) => `sandbox-${name}`)).toContain(/^ARG BINARY=(.*)$/m.exec(text)![1])
})
