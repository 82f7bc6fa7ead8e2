import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { PROBE_PATHS } from '../../src/server/probes/probes.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { composeFaults } from '../compose.ts'
import { folder } from '../folder.ts'
import { readPage, shellBlocks } from '../page.ts'
import { ADMIN, shared } from '../server/tenants/shared.ts'

const TEAM = fileURLToPath(new URL('../../fixtures/team/', import.meta.url))
const read = (file: string) => readFile(join(TEAM, file), 'utf8')
const page = await readPage('docs/team.md')

/** The options of `sandbox start`, as its help lists them. */
const options = [...(await sandboxCommand(['start', '--help'])).stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(
  ([, name]) => name,
)

function checkStart(words: readonly string[]) {
  expect(words).toEqual(expect.arrayContaining(['start', '--shared', '--data', '--public-url']))
  for (const word of words.filter((one) => one.startsWith('--'))) expect(options).toContain(word)
}

test('the commands of docs/team.md run as written', async () => {
  const { url } = await shared()
  const env = { SANDBOX_BASE_URL: url, SANDBOX_CONTROL_TOKEN: ADMIN }
  const cwd = await folder()
  await sandboxCommand(['snapshots', 'save', 'other'], { env })
  await sandboxCommand(['snapshots', 'export', 'other', '--out', 'before.db'], { env, cwd })
  const lines = [
    ...shellBlocks(page).flatMap((block) => block.trim().split('\n')),
    ...[...page.matchAll(/`(sandbox (?:namespaces|audit)[^`]+)`/g)].map(([, line]) => line!),
  ]
    .map((line) => line.replace(/^npx /, ''))
    .filter((line) => /^sandbox (namespaces|audit|snapshots)/.test(line))
  expect(lines.length).toBeGreaterThan(7)
  for (const line of new Set(lines)) {
    const words = line
      .replace(/ > .*$/, '')
      .split(' ')
      .slice(1)
    const { code, stderr } = await sandboxCommand(words, { env, cwd })
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' })
  }
})

test('compose.yaml is one, and starts a shared sandbox behind a proxy', async () => {
  const content = parse(await read('compose.yaml'))
  expect(composeFaults(content)).toEqual([])
  const { sandbox, proxy } = content.services
  checkStart(sandbox.command)
  expect(sandbox.ports).toBeUndefined()
  expect(proxy.command).toContain('sandbox:7270')
})

test('the manifests for Kubernetes belong together, and their probes exist', async () => {
  const documents = parseAllDocuments(await read('kubernetes.yaml'))
  expect(documents.flatMap(({ errors }) => errors)).toEqual([])
  const [set, service, ingress] = documents.map((one) => one.toJS())
  expect([set, service, ingress].map(({ kind }) => kind)).toEqual(['StatefulSet', 'Service', 'Ingress'])
  const { template, selector, replicas, volumeClaimTemplates } = set.spec
  const [container] = template.spec.containers
  expect(replicas).toBe(1)
  checkStart(container.args)
  expect(template.metadata.labels).toMatchObject(selector.matchLabels)
  expect(template.metadata.labels).toMatchObject(service.spec.selector)
  const volumes = [
    ...template.spec.volumes,
    ...volumeClaimTemplates.map(({ metadata }: { metadata: object }) => metadata),
  ]
  expect(container.volumeMounts.map(({ name }: { name: string }) => name).sort()).toEqual(
    volumes.map(({ name }: { name: string }) => name).sort(),
  )
  for (const probe of [container.livenessProbe, container.readinessProbe]) {
    expect(PROBE_PATHS).toContain(probe.httpGet.path)
    expect(probe.httpGet.port).toBe(container.ports[0].name)
  }
  const { backend } = ingress.spec.rules[0].http.paths[0]
  expect(backend.service).toEqual({ name: service.metadata.name, port: { name: service.spec.ports[0].name } })
})

test('the unit of systemd starts a shared sandbox with the folder that it may write', async () => {
  const unit = await read('sandbox.service')
  const [, command] = /^ExecStart=(.*)$/m.exec(unit)!
  checkStart(command!.split(' '))
  const [, state] = /^StateDirectory=(.*)$/m.exec(unit)!
  expect(command).toContain(`--data /var/lib/${state} `)
  for (const proxy of ['Caddyfile', 'nginx.conf']) expect(await read(proxy)).toContain('127.0.0.1:7270')
  // $host lacks the port, which an Origin has.
  expect(await read('nginx.conf')).toContain('proxy_set_header Host $http_host;')
})
