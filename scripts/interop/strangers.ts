import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSandbox } from '../../src/index.ts'
import { documentOf } from '../../src/openapi/document.ts'
import { clients, tryClient, tryPostman } from './clients.ts'
import { tryManifests } from './manifests.ts'
import { tryNext } from './next.ts'
import { installed, packages } from './packages.ts'
import { tryProxy } from './proxy.ts'
import { type Reader, readers } from './readers.ts'

/** The result of one third-party program. */
export interface Finding {
  tool: string
  does: string
  result: string
  isGood: boolean
}

/** Runs linters, validators, generators and a proxy on the documents of a running sandbox. */
export async function askStrangers(): Promise<Finding[]> {
  const folder = await installed()
  await rm(join(folder, 'out'), { recursive: true, force: true })
  await mkdir(join(folder, 'out'))
  await using sandbox = await createSandbox()
  const written = async (part: 'service' | 'control') => {
    const file = join(folder, 'out', `${part}.json`)
    await writeFile(file, JSON.stringify(documentOf(part, sandbox.url)))
    return file
  }
  const [service, control] = [await written('service'), await written('control')]
  const findings: Finding[] = []
  const readBoth = async (read: Reader['read']) => {
    await read(folder, service)
    return `service and control: ${await read(folder, control)}`
  }
  for (const { tool, does, read } of readers) findings.push(await found(tool, does, () => readBoth(read)))
  for (const client of clients)
    findings.push(await found(client.tool, 'generates a client', () => tryClient(client, folder, service, sandbox.url)))
  findings.push(
    await found('openapi-to-postmanv2', 'makes a collection', () => tryPostman(folder, service, sandbox.url)),
    await found('@stoplight/prism-cli', 'works as a proxy', () => tryProxy(folder, service, sandbox.url)),
    await found('kubernetes-models', 'checks manifests', () => tryManifests(folder)),
    await found('next', 'bundles the package', () => tryNext(folder, sandbox.url)),
  )
  return findings
}

async function found(tool: string, does: string, attempt: () => Promise<string>): Promise<Finding> {
  const version = (packages as Record<string, string>)[tool]
  const named = version === undefined ? tool : `${tool} ${version}`
  try {
    return { tool: named, does, result: await attempt(), isGood: true }
  } catch (error) {
    return { tool: named, does, result: (error as Error).message, isGood: false }
  }
}
