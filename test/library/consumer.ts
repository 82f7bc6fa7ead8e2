import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folder } from '../folder.ts'
import { ROOT } from '../paths.ts'

/** The folder of a consumer of the package, in which the built package is installed. */
async function consumerFolder(): Promise<string> {
  const home = await folder()
  await mkdir(join(home, 'node_modules'))
  await symlink(ROOT, join(home, 'node_modules/messaging-sandbox'), 'junction')
  return home
}

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program that uses the installed package, for a minute at most; `name` ends in .mjs or .cjs. */
export async function runConsumer(name: string, source: string): Promise<Ended> {
  const home = await consumerFolder()
  await writeFile(join(home, name), source)
  return new Promise((resolve) =>
    execFile(process.execPath, [name], { cwd: home, timeout: 180_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    ),
  )
}

/** Sends a message that expires, and receives its webhook; takes `createSandbox`, prints the status. */
export const STORY = `
async function story(createSandbox) {
  const sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', to: '+491713920020',
    message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hi' }, ttl: '60s' })
  await sandbox.clock.advance('60s')
  const { status } = await sandbox.client.messages.get(message_id)
  await sandbox.stop()
  console.log(status)
}`
