/** Runs in the tree that adding.test.ts changes, and prints where the added operations are found. */
import { operationTables } from '../../scripts/docs/operations.ts'
import { createSandbox } from '../../src/index.ts'
import { sandboxCommand } from '../cli/terminal.ts'

type Call = (...args: unknown[]) => Promise<unknown>

const data = process.argv[2]!
await using sandbox = await createSandbox({ data })
const { url, client } = sandbox
const { notes, inbox } = client as unknown as Record<string, Record<string, Call>>
const env = { SANDBOX_BASE_URL: url }
const json = async (path: string, init?: RequestInit): Promise<unknown> => (await fetch(url + path, init)).json()
const post = (body: unknown) =>
  json('/_sandbox/notes', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const found = {
  notes: {
    server: await post({ text: 'one' }),
    refusal: await post({ txt: 'one' }),
    client: await notes!.add!({ text: 'two' }),
    command: (await sandboxCommand(['notes', 'add', '--text', 'three'], { env })).json,
    help: (await sandboxCommand(['notes', 'add', '--help'])).stdout,
  },
  latest: {
    server: await json('/_sandbox/inbox/+491713920000/latest'),
    client: await inbox!.latest!('+491713920000'),
    command: (await sandboxCommand(['inbox', 'latest', '+491713920000'], { env })).json,
    help: (await sandboxCommand(['inbox', '--help'])).stdout,
  },
  help: (await sandboxCommand(['--help'])).stdout,
  groupHelp: (await sandboxCommand(['help', 'managing'])).stdout,
  document: await json('/_sandbox/openapi.json'),
  docs: operationTables('control'),
}
console.log(JSON.stringify(found))
