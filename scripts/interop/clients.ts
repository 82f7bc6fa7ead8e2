import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bin, checkTypes, type Package, run } from './packages.ts'

/** A generated client of the service. */
export interface Client {
  tool: Package
  /** Writes the client into a folder. */
  generate(folder: string, document: string): Promise<unknown>
  /** A module that sends a message with the client and prints its message_id. BASE, KEY and BODY are replaced. */
  sends: string
}

export const clients: readonly Client[] = [
  {
    tool: 'openapi-typescript',
    generate: (folder, document) =>
      bin(folder, 'openapi-typescript', [document, '-o', join(folder, 'out/openapi-typescript.ts')]),
    sends: `import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript'
const client = createClient<paths>({ baseUrl: BASE, headers: { Authorization: \`Bearer \${KEY}\` } })
const { data, error } = await client.POST('/v1/messages', { body: BODY })
if (!data) throw new Error(error.message)
const id: string = data.message_id
console.log(id)
const { traffic_type, ...untyped } = BODY
const { agent_id, ...anonymous } = BODY
// @ts-expect-error RCS needs a traffic_type.
void (() => client.POST('/v1/messages', { body: untyped }))
// @ts-expect-error Each send needs a sender.
void (() => client.POST('/v1/messages', { body: anonymous }))`,
  },
  {
    tool: '@hey-api/openapi-ts',
    generate: (folder, document) => bin(folder, 'openapi-ts', ['-i', document, '-o', join(folder, 'out/hey-api')]),
    sends: `import { client } from './hey-api/client.gen'
import { messagesSend } from './hey-api'
client.setConfig({ baseUrl: BASE, auth: () => KEY })
const { data } = await messagesSend({ body: BODY, throwOnError: true })
const id: string = data.message_id
console.log(id)`,
  },
  {
    tool: 'orval',
    async generate(folder, document) {
      const config = join(folder, 'orval.config.mjs')
      const output = {
        target: join(folder, 'out/orval.ts'),
        client: 'fetch',
        baseUrl: { getBaseUrlFromSpecification: true },
      }
      await writeFile(config, `export default ${JSON.stringify({ it: { input: document, output } })}`)
      return bin(folder, 'orval', ['--config', config])
    },
    sends: `import { messagesSend } from './orval'
const { status, data } = await messagesSend(BODY, { headers: { Authorization: \`Bearer \${KEY}\` } })
if (status !== 200) throw new Error(data.message)
const id: string = data.message_id
console.log(id)`,
  },
  {
    tool: 'oazapfts',
    generate: (folder, document) => bin(folder, 'oazapfts', [document, join(folder, 'out/oazapfts.ts')]),
    sends: `import { defaults, messagesSend } from './oazapfts'
defaults.baseUrl = BASE
defaults.headers = { Authorization: \`Bearer \${KEY}\` }
const answer = await messagesSend(BODY)
if (answer.status !== 200) throw new Error(String(answer.status))
const id: string = answer.data.message_id
console.log(id)`,
  },
  {
    tool: 'swagger-typescript-api',
    generate: (folder, document) =>
      bin(folder, 'swagger-typescript-api', [
        'generate',
        '-p',
        document,
        '-o',
        join(folder, 'out'),
        '-n',
        'sta.ts',
        '--generate-union-enums',
      ]),
    sends: `import { Api } from './sta'
const api = new Api({ baseUrl: BASE, baseApiParams: { headers: { Authorization: \`Bearer \${KEY}\` } } })
const { data } = await api.v1.messagesSend(BODY)
const id: string = data.message_id
console.log(id)`,
  },
]

const body = `{
  agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
  to: '+491713920050',
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: 'Hello from a generated client' },
} as const`

/** Generates a client, checks the types of a program that uses it, and sends a message with it. */
export async function tryClient({ tool, generate, sends }: Client, folder: string, document: string, base: string) {
  await generate(folder, document)
  const name = `uses-${tool.replace(/\W+/g, '-')}`
  const file = join(folder, 'out', `${name}.ts`)
  const values = `const BASE = '${base}'\nconst KEY = 'sk_sandbox_default'\nconst BODY = ${body}\n`
  const imports = sends.split('\n').filter((line) => line.startsWith('import'))
  await writeFile(file, `${imports.join('\n')}\n${values}${sends.split('\n').slice(imports.length).join('\n')}\n`)
  await checkTypes(folder, file)
  const bundle = join(folder, 'out', `${name}.mjs`)
  await build({
    entryPoints: [file],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const { stdout } = await run(process.execPath, [bundle], { cwd: folder })
  if (!/^msg_[0-9a-f-]{36}\n$/.test(stdout)) throw new Error(`sent nothing: ${stdout.slice(0, 200)}`)
  return 'types hold, sent a message'
}

/** Creates a collection of the examples and sends its requests to one path. */
export async function tryPostman(folder: string, document: string, base: string) {
  const file = join(folder, 'out/postman.json')
  const options = 'parametersResolution=Example,folderStrategy=Tags'
  await bin(folder, 'openapi2postmanv2', ['-s', document, '-o', file, '-O', options])
  const { item, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Collection
  const send = requestsIn(item).find(({ name }) => name === 'Send a message over RCS or email')
  if (!send) throw new Error('the collection has no request that sends')
  const test = "pm.test('is queued', () => pm.expect(pm.response.json().status).to.equal('queued'))"
  const one = { ...send, event: [{ listen: 'test', script: { exec: [test] } }] }
  await writeFile(file, JSON.stringify({ ...rest, item: [one] }))
  await bin(folder, 'newman', [
    'run',
    file,
    '--env-var',
    `baseUrl=${base}`,
    '--env-var',
    'bearerToken=sk_sandbox_default',
  ])
  return 'newman sent a message'
}

interface Item {
  name: string
  item?: Item[]
}
interface Collection {
  item: Item[]
}

const requestsIn = (items: readonly Item[]): Item[] => items.flatMap((one) => (one.item ? requestsIn(one.item) : [one]))
